package command

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// stateText returns a state of about 16 MB.
func stateText() string {
	var b strings.Builder
	b.WriteString(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [`)
	for i := range 180_000 {
		fmt.Fprintf(&b, `{"id": %d, "name": "Rex the %d.", "categoryId": 1, "status": "available"},`, i+1, i+1)
	}
	return strings.TrimSuffix(b.String(), ",") + "]}"
}

// TestLoneImport sends an idle server a state that fits, with and without its length, and one
// that never does.
func TestLoneImport(t *testing.T) {
	t.Parallel()
	p := programtest.StartPetstore(t, "--max-memory", "256MiB", "--sandbox-memory", "200MiB", "--max-records", "1000000")
	text := stateText()
	for _, test := range []struct {
		name   string
		body   io.Reader
		status int
	}{
		{"with its length", strings.NewReader(text), 200},
		{"in chunks", struct{ io.Reader }{strings.NewReader(text)}, 200},
		{"too long", strings.NewReader(text + strings.Repeat(" ", 30<<20)), 503},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, p.URL+"/admin/state", test.body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != test.status || response.Header.Get("Retry-After") != "" {
			t.Errorf("%s, of %d bytes: %s, Retry-After %q, %s; want %d", test.name, len(text), response.Status, response.Header.Get("Retry-After"), answer, test.status)
		}
	}
}
