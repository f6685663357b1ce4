package command

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
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

// importText sends a server a state, and returns the status, Retry-After and the answer.
func importText(t *testing.T, url string, body io.Reader) (status int, after, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url+"/admin/state", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Retry-After"), string(text)
}

var toldFigures = regexp.MustCompile(`enough for a body of ([0-9.]+)MiB;.* --max-memory (\d+MiB) or more`)

// TestLoneImport sends an idle server a state that fits, with and without its length, and one
// that never does. The body and the server of which the refusal speaks are indeed enough.
func TestLoneImport(t *testing.T) {
	t.Parallel()
	start := func(memory string) string {
		p := programtest.StartPetstore(t, "--max-memory", memory, "--sandbox-memory", "200MiB", "--max-records", "1000000")
		return p.URL
	}
	text := stateText()
	long := text + strings.Repeat(" ", 30<<20)
	accepts := func(name, url string, body io.Reader) {
		t.Helper()
		if status, after, answer := importText(t, url, body); status != 200 {
			t.Errorf("%s: %d, Retry-After %q, %s", name, status, after, answer)
		}
	}
	url := start("256MiB")
	accepts("with its length", url, strings.NewReader(text))
	accepts("in chunks", url, struct{ io.Reader }{strings.NewReader(text)})

	url = start("256MiB")
	status, after, answer := importText(t, url, strings.NewReader(long))
	told := toldFigures.FindStringSubmatch(answer)
	if status != 503 || after != "" || told == nil {
		t.Fatalf("too long: %d, Retry-After %q, %s", status, after, answer)
	}
	mib, err := strconv.ParseFloat(told[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	const rounded = 0.1 // the figure is, and the server does not hold the same at all times
	accepts("a body of "+told[1]+"MiB", url, strings.NewReader(long[:int((mib-rounded)*(1<<20))]))
	accepts("with --max-memory "+told[2], start(told[2]), strings.NewReader(long))
}
