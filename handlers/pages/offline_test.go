package pages_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// behind serves a world behind a proxy that strips the prefix. While down is true, the proxy
// breaks every connection.
func behind(t *testing.T, w *world, prefix string) (address string, down *atomic.Bool) {
	t.Helper()
	target := must.Get(url.Parse(w.URL))(t)
	down = new(atomic.Bool)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.URL.RawPath = ""
		r.Out.Host = target.Host
	}, FlushInterval: -1}
	server := httptest.NewServer(http.StripPrefix(prefix,
		http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if down.Load() {
				panic(http.ErrAbortHandler)
			}
			r.Header.Del("Origin") // of the proxy, unknown to the server
			proxy.ServeHTTP(rw, r)
		})))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + prefix, down
}

// TestBehindAPathPrefix checks that the addresses in a page are relative.
func TestBehindAPathPrefix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	address, _ := behind(t, w, "/tools/store")
	p := browsertest.Open(t, address+"/sandboxes/ada/?view=data")
	p.Allow("status of 404") // there is no such sandbox yet
	p.Click("button", "Create it")
	p.WaitText(".live", "live")
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Rexina")
	p.Click("link", "Petstore")
	p.Wait(`location.pathname === "/tools/store/sandboxes/ada/"`)
	p.WaitText("main", "curl -s \\ '"+address+"/sandboxes/ada/pets?limit=2'")
	p.Press("?")
	p.WaitText("dialog", "filter")
}

// TestReconnect disconnects the server and reconnects it.
func TestReconnect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Before")
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+"/")
	p.Allow("net::ERR|status of 50")
	p.WaitText(".live", "live")
	p.WaitText(".request", "201 POST /pets")
	p.Wait(`["faults", "palette", "rule", "rulelist"].every((module) =>
		performance.getEntriesByType("resource").some((e) => e.name.endsWith("/" + module + ".js")))`)
	_ = browsertest.Eval[string](p, `document.querySelector(".list").dataset.same = "yes"`)
	down.Store(true)
	_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`) // connects anew
	p.WaitText(".live", "lost")
	p.WaitText(".band", "The server does not answer.")
	p.WaitText(".band", "Trying again in")
	p.WaitText(".request", "201 POST /pets") // earlier requests are still shown
	create(t, w, "Meanwhile")
	down.Store(false)
	p.WaitText(".live", "live")
	p.Wait(`document.querySelectorAll(".request").length === 2`)
	if same := browsertest.Eval[bool](p, `document.querySelector(".list").dataset.same === "yes"`); !same {
		t.Error("the view was made anew, and what was typed in it is lost")
	}
	if text := p.Text("body"); strings.Contains(text, "does not answer") {
		t.Errorf("the page still says %q", text)
	}

	p.Click("link", "Time") // which loads its modules
	p.WaitText(".clock", "UTC")
	p.Click("link", "Data")
	p.WaitText("tbody", "added")
	down.Store(true)
	_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`)
	p.WaitText(".live", "lost")
	p.Click("link", "Requests")
	p.Click("link", "Data")
	p.WaitText("tbody", "added")
	p.WaitText(".band", "This is what it said until ")
	p.Click("button", "Add a pet")
	p.In(".editor").Fill("textbox", "Name", "Rex")
	p.In(".editor").Choose("Category", "Dogs #1")
	p.In(".editor").Click("button", "Add")
	p.WaitText(".band", "The server does not answer, so nothing was done.")
	p.Press(browsertest.Escape)
	p.Click("link", "Requests")
	p.Click("link", "Data")
	p.WaitText(".band", "This is what it said until ")
	p.Click("button", "Find a command: Ctrl K") // not opened before
	p.WaitText(".palette", "Go to Requests")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector("dialog, #page > .error-note, .palette") &&
		getComputedStyle(document.querySelector("main")).opacity < 1`)
	p.Click("link", "Faults") // not shown before
	p.WaitText("main", "Slow 3G")
	p.WaitText("main", "Nothing to show yet The server has not answered since this view was opened.")
	p.Wait(`!document.querySelector(".band .last").checkVisibility() && !document.querySelector("main .error-note")`)
	p.Click("button", "Slow Waits 200 to 800 ms")
	p.WaitText(".band", "The server does not answer, so nothing was done.")
	p.Click("link", "Data")
	p.WaitText(".band", "The server does not answer. ") // the next view has done nothing
	p.Click("link", "Time")
	p.WaitText(".clock", "UTC")
	p.Wait(`(({innerText: clock}, {innerText: band}) => {
		window.lost ??= {clock, bands: new Set()}
		return lost.bands.add(band).size > 2 && lost.clock === clock // it stands still while seconds pass
	})(document.querySelector(".clock h2"), document.querySelector(".band"))`)
	p.Click("link", "Faults")
	p.Click("button", "Slow Waits 200 to 800 ms")
	p.WaitText(".band", "The server does not answer, so nothing was done.")
	p.Wait(`document.querySelector(".toast.bad").getBoundingClientRect().right < 0`) // the band alone says it
	p.See("button", "Retry now")
	down.Store(false)
	browsertest.Eval[any](p, `void document.querySelector(".band button")?.click()`) // unless it tries again at this moment
	p.WaitText(".live", "live")
	const twice = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(!document.querySelector(".toast.bad")))))`
	if gone := browsertest.Eval[bool](p, twice); !gone { // it would disappear by itself, but later
		t.Error("the page still says that the server does not answer")
	}
	p.Miss("button", "Retry now")
	p.Wait(`getComputedStyle(document.querySelector("main")).opacity === "1"`)
}

// TestViewsWithoutServer opens views for the first time while the server is gone. On a phone, the band has
// the text in one line over the other parts.
func TestViewsWithoutServer(t *testing.T) {
	t.Parallel()
	address, down := behind(t, newWorld(t), "")
	p := browsertest.Open(t, address+"/?view=faults")
	p.Resize(375, 800)
	p.Allow("net::ERR|status of 50")
	p.WaitText(".live", "live")
	p.WaitText("main", "No rules")
	down.Store(true)
	_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`)
	p.WaitText(".band", "This is what it said until ")
	p.Wait(`(([text, time, button]) => text.bottom <= time.top && time.left === text.left
		&& Math.abs(time.top + time.bottom - button.top - button.bottom) < 2 && button.left >= time.right)(
		[...document.querySelector(".band").children].map((part) => part.getBoundingClientRect()))`)
	for _, view := range []string{"Requests", "Snapshots", "Sandboxes"} {
		p.Click("link", view)
		p.WaitText("main", "The server has not answered since this view was opened.")
		if text := p.Text("main"); strings.Contains(text, "No requests") || strings.Contains(text, "No snapshots") {
			t.Errorf("%s says that there are none: %q", view, text)
		}
	}
	down.Store(false)
	p.WaitText(".live", "live")
	p.Wait(`!document.querySelector(".unread")`)
}

// TestDialogWithoutServer checks that a dialog does not show the lack of a server as an error of a field, and that the
// template is read again when the server is back.
func TestDialogWithoutServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/template", `{"from": "default"}`))
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+"/?view=sandboxes")
	p.Allow("net::ERR|status of 50")
	p.WaitText(".live", "live")
	p.WaitText(".boxes .filters", "Template default")
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Click("menuitem", "Create a sandbox…")
	p.Fill("textbox", "Name", "ada")
	down.Store(true)
	p.In("dialog").Click("button", "Create")
	p.WaitText("dialog .wrong", "The server does not answer.")
	p.Wait(`!document.querySelector("dialog [aria-invalid]")`)
	_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`)
	p.WaitText(".live", "lost")
	w.Must(t, Delete("/admin/template"))
	down.Store(false)
	p.WaitText(".live", "live")
	p.Wait(`!document.querySelector(".boxes .filters").innerText.includes("default")`)
	p.Wait(`!document.querySelector("dialog .wrong")`)
	p.In("dialog").Click("button", "Create")
	p.WaitText(".toasts", "Created “ada”.")
}

// TestRuleWithoutServer adds a rule while the server is gone. The form says that it does not answer, until it does. On
// a phone, a toast is above the band, and a draft can be resumed.
func TestRuleWithoutServer(t *testing.T) {
	t.Parallel()
	address, down := behind(t, newWorld(t), "")
	p := browsertest.Open(t, address+"/?view=faults")
	p.Resize(375, 800)
	p.Allow("net::ERR|status of 50")
	p.WaitText(".live", "live")
	p.Click("button", "New rule…")
	p.Fill("textbox", "Response status", "418")
	down.Store(true)
	_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`)
	p.WaitText(".live", "lost")
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "The new rule is not added. Resume")
	p.Wait(`document.querySelector(".toast").getBoundingClientRect().bottom <=
		document.querySelector(".band").getBoundingClientRect().top`)
	p.Click("button", "Resume")
	p.In("dialog").Click("button", "Add")
	p.WaitText("dialog .band", "The server does not answer, so nothing was done. Trying again")
	p.In("dialog").See("button", "Retry now")
	p.Wait(`!document.querySelector("dialog .error-note").checkVisibility() &&
		getComputedStyle(document.querySelector(".top > .band")).visibility === "hidden"`)
	down.Store(false)
	p.WaitText(".live", "live")
	p.Wait(`!document.querySelector("dialog .error-note")`)
	p.WaitText("dialog", "There are no requests yet") // which it would have hit
}

// TestRestartIsReported checks that the page says so where the server has run for less time than before.
func TestRestartIsReported(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/")
	_ = browsertest.Eval[bool](p, `(() => {
		const real = fetch;
		window.older = 1000;
		window.fetch = async (address, ...more) => {
			const answer = await real(address, ...more);
			if (!String(address).endsWith("/admin")) return answer;
			const { uptimeSeconds, ...rest } = await answer.json();
			window.read = window.older;
			const [faults, snapshots] = window.older ? [2, 1] : [0, 0];
			return Response.json({ ...rest, uptimeSeconds: uptimeSeconds + window.older, faults, snapshots });
		};
		document.querySelector(".live").click();
		return true;
	})()`)
	p.Wait(`window.read === 1000`)
	p.WaitText(".live", "live")
	p.Press("?")
	p.WaitText("dialog", "filter")
	_ = browsertest.Eval[bool](p, `(() => {
		window.older = 0;
		document.querySelector(".live").click();
		return true;
	})()`)
	p.WaitText("dialog .restarted", "The server restarted. It lost 2 faults and 1 snapshot.") // as the toast is behind it
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "The server restarted. It lost 2 faults and 1 snapshot. This is what it has now.")
	_ = browsertest.Eval[bool](p, `(history.pushState(null, "", "?id=99"), dispatchEvent(new Event("popstate")))`)
	p.WaitText(".detail", "This request is gone The server restarted with an empty journal. Show the list")
}

// TestFixWithoutServer sends a fixed request while the server is gone, and again once it is back. Meanwhile, the
// journal has lost the original, as after a restart. A record that was not saved shows no error from that time.
func TestFixWithoutServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "")
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+"/")
	p.Resize(375, 800)
	p.Allow("net::ERR|status of 50")
	p.WaitText(".live", "live")
	openNewest(p)
	p.Click("button", "Fix and send…")
	p.Fill("textbox", "Body", `{"name": "Zorro", "categoryId": 1}`)
	lose := func() {
		t.Helper()
		down.Store(true)
		_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`)
		p.WaitText(".live", "lost")
	}
	lose()
	p.In("dialog").Click("button", "Send")
	p.Wait(`document.querySelector("dialog .error-note")`)
	w.Must(t, Delete("/admin/requests"))
	down.Store(false)
	p.WaitText(".live", "live")
	p.WaitText("dialog", "The original is gone. The journal has no room for it any more, or was cleared. You can still")
	p.In("dialog").Click("button", "Send")
	p.WaitText("dialog", "201 Created")
	p.WaitText("dialog", "Zorro")
	p.Click("button", "Done")
	p.WaitText(".detail", "201 Created POST /pets")

	p.Open(address + "/?view=data&table=pets&open=1")
	p.WaitText(".live", "live")
	p.Fill("textbox", "Name", "Zorro")
	lose()
	p.In(".editor").Click("button", "Save")
	p.WaitText(".band", "The server does not answer, so nothing was done.")
	down.Store(false)
	p.WaitText(".live", "live")
	p.Wait(`!document.querySelector(".editor .error-note") && document.querySelector(".editor input").value === "Zorro"`)
}

// TestWhatIsSaidWhileGone checks that no part of the page says what is not known while the server is gone.
func TestWhatIsSaidWhileGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rexina")
	w.Get(t, "/pets/1")
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+"/")
	p.Resize(375, 800)
	p.Allow("net::ERR|status of 50")
	p.WaitText(".request", "GET /pets/1")
	p.Click("link", "Data")
	p.WaitText("tbody", "Rexina")
	p.Wait(`["absent", "rule", "lifecycle", "panel"].every((module) =>
		performance.getEntriesByType("resource").some((e) => e.name.endsWith("/" + module + ".js")))`)
	p.Click("button", "Find a command: Ctrl K")
	p.Fill("combobox", "Command", "Travel one day")
	p.Press(browsertest.Enter)
	p.WaitText(".toasts", "A day later.")
	down.Store(true)
	_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`)
	p.WaitText(".band", "This is what it said until ")
	p.Wait(`!document.querySelector(".toast")`)
	for _, width := range []int64{768, 375} {
		p.Resize(width, 800)
		p.Wait(`(({ left, right, width }) => width > 0 && left > 0 && right < innerWidth)(
			document.querySelector(".live [role=status]").getBoundingClientRect())`)
		p.Wait(`document.querySelector(".band").getBoundingClientRect().top >=
			document.querySelector("main").getBoundingClientRect().bottom`) // it hides nothing
	}
	p.Press("`") // the drawer of calls
	p.Wait(`(([band, main, drawer]) => drawer.bottom <= band.top && main.bottom === drawer.top)(
		[".band", "main", ".drawer"].map((part) => document.querySelector(part).getBoundingClientRect()))`)
	p.Press("`")
	p.Click("button", "1") // a record that has not been opened
	p.WaitText(".editor .facts", "Status")
	p.Press(browsertest.Escape, "g", "t")
	p.WaitText("main", "Nothing to show yet")
	p.Wait(`!/unnamed|not counted/.test(document.querySelector("main").innerText)`)
	p.Miss("button", "Try again") // the band has the only button
	p.Click("button", "Change getPet")
	p.WaitText("dialog .band", "The server does not answer.")
	p.In("dialog").Click("button", "Save")
	p.WaitText("dialog .band", "The server does not answer, so nothing was done.")
	p.Press(browsertest.Escape)
	p.Click("link", "Faults")
	p.Click("button", "New rule…")
	p.Fill("textbox", "Response status", "418")
	p.Press(browsertest.Escape)
	p.Click("link", "Requests")
	openNewest(p)
	p.Press("j")
	p.WaitText(".detail .effect", "The server does not answer.")
	down.Store(false)
	p.WaitText(".detail .effect", "added pet")
}

// TestReplacedSandbox replaces the sandbox while the page is disconnected, as a restart does. The
// new sandbox has a request before the page reconnects.
func TestReplacedSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := "/sandboxes/ada"
	w.Must(t, Put("/admin"+path, ""))
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+path+"/")
	p.Allow("net::ERR|status of 50")
	p.WaitText(".live", "live")
	for range 3 {
		w.Get(t, path+"/pets/1")
	}
	p.Wait(`document.querySelectorAll(".request").length === 3`)
	down.Store(true)
	_ = browsertest.Eval[bool](p, `document.querySelector(".live").click() || true`) // connects anew
	p.WaitText(".live", "lost")
	w.Must(t, Delete("/admin"+path))
	w.Must(t, Put("/admin"+path, ""))
	w.Get(t, path+"/store/orders/1")
	down.Store(false)
	p.WaitText(".live", "live")
	p.WaitText(".toasts", "The server restarted, or somebody created the sandbox anew.")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	w.Get(t, path+"/store/orders/2")
	p.WaitText(".request", "/store/orders/2")
}

// TestCopyWithoutSecureContext copies without navigator.clipboard, which is missing on another
// machine's address.
func TestCopyWithoutSecureContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rex")
	p := show(t, w, "/")
	_ = browsertest.Eval[bool](p, `Object.defineProperty(navigator, "clipboard", {value: undefined}) && true`)
	_ = browsertest.Eval[bool](p,
		`(document.addEventListener("copy", () => { window.copied = String(document.activeElement.value) }), true)`)
	openNewest(p)
	p.Wait(`document.querySelector(".detail")`)
	p.Press("c")
	p.WaitText(".toasts", "Copied as curl")
	want := "curl -s \\\n  --json '{\"name\": \"Rex\", \"categoryId\": 1}' \\\n  '" + w.URL + `/pets'`
	if got := browsertest.Eval[string](p, "window.copied"); got != want {
		t.Errorf("copied %s, want %s", got, want)
	}
}
