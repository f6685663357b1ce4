package pages_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestPagesUseTheWordsOfHTTP checks that replaced wordings do not return.
func TestPagesUseTheWordsOfHTTP(t *testing.T) {
	t.Parallel()
	replaced := []string{
		"Keep the data now", "Kept as “", "Return to it", "The data is that of", "Drop…", "Drop it", "Everything normal",
		`"for ever"`, "Times at most", "Wait, in ms", "and up to so many ms more", "Status of the answer",
		"does not run first", "the first rule that fits is applied", "Make this a fault", "is as it was made",
		"Leave it as it is", "Forget the requests?", "Forget them", "Not done.", "has written meanwhile",
		"Key of its own", "Fresh ones again", "Take a copy of", "goes on", "Who uses what is deprecated",
		"Press to connect anew", "has been idle for too long", `title="Answer"`, ">Answer<", "Mark all",
		"Mark stores to act", "Take it back", "Give the data of", "time stands still", "The door says so now",
		"The wall is the teacher", "Copy the way back", "It works on this machine alone", "was never made",
		"the store of ", "The answer is",
	}
	for _, pattern := range []string{"shell/*.js", "dashboard/*.js", "workshop/*.js", "../docs/page/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text := must.Get(os.ReadFile(file))(t)
			for _, words := range replaced {
				for i, line := range strings.Split(strings.ToLower(string(text)), "\n") {
					if code, _, _ := strings.Cut(line, "// "); strings.Contains(code, strings.ToLower(words)) &&
						!strings.Contains(line, "/**") && !strings.HasPrefix(strings.TrimSpace(line), "*") {
						t.Errorf("%s:%d says %q", file, i+1, words)
					}
				}
			}
		}
	}
}

// calls checks that the drawer shows the call of the labelled control, and that the call contains
// each of the texts. It opens the drawer if it is closed.
func calls(p *page, label string, want ...string) {
	if browsertest.Eval[bool](p, `(document.activeElement?.blur(), !document.querySelector(".drawer"))`) {
		p.Press("`")
		p.Wait(`document.querySelector(".drawer")`)
	}
	control := fmt.Sprintf(`[...document.querySelectorAll(".call")].findLast((mark) => mark.dataset.label === %q)?.previousElementSibling`, label)
	p.Wait(control)
	p.Wait(
		fmt.Sprintf(`(%s.dispatchEvent(new PointerEvent("pointerover", {bubbles: true})), `+
			`document.querySelector(".drawer .control h3").textContent === %q)`, control, label))
	for _, text := range want {
		p.WaitText(".drawer .control pre", text)
	}
}

// TestEachPage shows every view of the dashboard and the pages of a workshop, one after
// the other. Other tests check the actions of each page.
func TestEachPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.Workshop = true })
	p := show(t, w, "/")
	for _, view := range []struct{ link, selector, text string }{
		{"Data", ".table-scroll", "Rex"},
		{"Faults", "main", "No rules"},
		{"Time", ".lane", "getPet"},
		{"Snapshots", "main", "No snapshots"},
		{"Sandboxes", ".table-scroll", "default"},
		{"Requests", "main", "No requests yet"},
	} {
		p.In("nav").Click("link", view.link)
		p.WaitText(view.selector, view.text)
	}
	p.Open(w.URL + "/workshop")
	p.See("button", "Door")
	p.Open(w.URL + "/join")
	p.Fill("textbox", "Your name", "Ada Lovelace")
	p.Click("button", "Join")
	p.WaitText("main", "/sandboxes/ada-lovelace")
}

// TestQRCodes checks that the server draws codes of texts up to the limit, one square per module,
// and refuses longer texts.
func TestQRCodes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	draw := func(text string) *Answer {
		return w.Do(t, Post("/pages/qr", text).With("Content-Type", "text/plain"))
	}
	for text, modules := range map[string]string{"http://127.0.0.1:8080/join": "0 0 33 33",
		strings.Repeat("x", 1<<10): "0 0 129 129"} {
		a := draw(text)
		a.Expect(t, 200, "")
		a.ExpectHeader(t, "Content-Type", "image/svg+xml")
		a.ExpectHeader(t, "X-Content-Type-Options", "nosniff")
		var svg struct {
			ViewBox string `xml:"viewBox,attr"`
			Path    []struct {
				D string `xml:"d,attr"`
			} `xml:"path"`
		}
		if err := xml.Unmarshal(a.Body, &svg); err != nil || svg.ViewBox != modules || len(svg.Path) != 2 ||
			len(svg.Path[1].D) < 1000 {
			t.Errorf("of %d bytes: %v, %s, %d paths", len(text), err, svg.ViewBox, len(svg.Path))
		}
	}
	draw(strings.Repeat("x", 1<<10+1)).Expect(t, 413, "payload_too_large")
	draw("").Expect(t, 400, "validation_failed")
	w.Get(t, "/pages/qr").Expect(t, 405, "method_not_allowed")
}
