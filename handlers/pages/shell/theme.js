// Applies the theme that the user chose. A classic script, so that it runs before the first paint.
(() => {
  try {
    const theme = localStorage.getItem("petstore.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be switched off; then the system's theme applies.
  }
})();
