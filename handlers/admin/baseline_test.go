package admin_test

import (
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestGeneratedDataIsBounded generates as many records as a sandbox with the server's data can
// hold, and checks that larger sizes are refused, whatever the sandbox holds at the time.
func TestGeneratedDataIsBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxRecords = 100 }) // in addition to the baseline's 13
	for _, path := range []string{"/admin/sandboxes/ada", "/admin/reset"} {
		method := Put
		if path == "/admin/reset" {
			method = Post
		}
		for range 2 {
			w.Must(t, method(path, `{"pets": 100, "categories": 3, "orders": 10}`))
			for _, body := range []string{
				`{"pets": 100, "categories": 3, "orders": 11}`, `{"orders": 11}`, `{"pets": 9223372036854775807, "orders": 9223372036854775807}`,
			} {
				a := w.Do(t, method(path, body))
				a.Expect(t, 507, "sandbox_full")
				const want = "the sizes ask for more than 113 records, the most that the sandbox can hold; leave some out, or start the server with a larger --max-records"
				if p := a.Problem(t); p.Message != want {
					t.Errorf("%s %s: %q, want %q", path, body, p.Message, want)
				}
			}
		}
	}
}
