package pages_test

import (
	"go/format"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
)

// TestCopyAsATest copies one request, and several selected requests, as tests of each kind.
// add_copied_tests in .ci/recipes.sh runs them.
func TestCopyAsATest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rex")
	create(t, w, "")
	w.Get(t, "/categories")
	p := show(t, w, "/?id=2")
	p.Click("button", "Copy as a test…")
	text := func(kind, want string) string {
		t.Helper()
		p.In("dialog").Click("button", kind)
		p.WaitText(".copied pre", want)
		return browsertest.Eval[string](p, `document.querySelector(".copied pre").textContent`)
	}
	text("vitest", "test('POST /pets 400', async ({ pets }) => {")
	text("Playwright", "toMatchObject({ code: 'validation_failed', details: [{ field: '/name' }] })")
	text("pytest", `assert body["code"] == "validation_failed"`)
	text("JUnit", `assertTrue(response.body().contains("\"code\":\"validation_failed\""), response.body());`)
	source := text("Go", "func TestPostPets400(t *testing.T) {")
	if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
		t.Errorf("gofmt: %v\n%s", err, source)
	}
	if !strings.Contains(source, "`{\"name\": \"\", \"categoryId\": 1}`") {
		t.Errorf("the test does not send the body:\n%s", source)
	}
	p.Press(browsertest.Escape, browsertest.Escape)

	p.Press("j", "x", "k", "x")
	p.WaitText(".picks", "2 selected")
	p.Wait(`[...document.querySelectorAll(".request[aria-checked=true]")].map(({id}) => id).join() === "request-2,request-1"`)
	p.Click("button", "Select all 3")
	p.In(".picks").Click("button", "Copy as a test…")
	if all := text("pytest", "def test_post_pets_201_and_2_more(pets):"); strings.Count(all, "requests.request(") != 3 {
		t.Errorf("the test has not three requests:\n%s", all)
	}
	p.Press(browsertest.Escape)
	p.Click("button", "Select none")
	p.Wait(`!document.querySelector(".picks, .request[aria-checked=true]")`)
}
