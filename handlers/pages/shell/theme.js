// The theme that was chosen by hand. A classic script, so that it runs before the page is first painted.
(() => {
  try {
    const theme = localStorage.getItem("petstore.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be switched off; then the system decides.
  }
})();
