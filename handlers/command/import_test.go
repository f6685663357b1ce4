package command

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// stateText returns a state of about 88 bytes for each pet.
func stateText(pets int) string {
	var b strings.Builder
	b.WriteString(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [`)
	for i := range pets {
		fmt.Fprintf(&b, `{"id": %d, "name": "Rex the %d.", "categoryId": 1, "status": "available"},`, i+1, i+1)
	}
	return strings.TrimSuffix(b.String(), ",") + "]}"
}

// importText imports a state, and returns the status, Retry-After and the body of the response.
func importText(t *testing.T, url string, body io.Reader) (status int, after, answer string) {
	t.Helper()
	a := programtest.Send(t, http.MethodPut, url+"/admin/state", body)
	return a.Status, a.Header.Get("Retry-After"), a.Body
}

func startForImports(t *testing.T, memory string) (url string) {
	p := programtest.StartPetstore(t, "--max-memory", memory, "--sandbox-memory", "200MiB", "--max-records", "1000000")
	return p.URL
}

// inChunks hides the length of a body.
func inChunks(body io.Reader) io.Reader { return struct{ io.Reader }{body} }

var toldFigures = regexp.MustCompile(`enough for a body of ([0-9.]+)MiB;.* --max-memory (\d+MiB) or more`)

// TestLoneImport imports a state that fits an idle server, with and without its length, and one
// that never fits. The body length and --max-memory that the refusal suggests must be sufficient.
func TestLoneImport(t *testing.T) {
	t.Parallel()
	start := func(memory string) string { return startForImports(t, memory) }
	text := stateText(180_000)
	long := text + strings.Repeat(" ", 30<<20)
	accepts := func(name, url string, body io.Reader) {
		t.Helper()
		if status, after, answer := importText(t, url, body); status != 200 {
			t.Errorf("%s: %d, Retry-After %q, %s", name, status, after, answer)
		}
	}
	url := start("256MiB")
	accepts("with its length", url, strings.NewReader(text))
	accepts("in chunks", url, inChunks(strings.NewReader(text)))

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
	const rounded = 0.1 // the figure is rounded, and the used memory varies
	accepts("a body of "+told[1]+"MiB", url, strings.NewReader(long[:int((mib-rounded)*(1<<20))]))
	accepts("with --max-memory "+told[2], start(told[2]), strings.NewReader(long))
}

// TestSuccessiveImports sends imports to an idle server one after another. Each must succeed, or be
// refused with a smaller length that then succeeds.
func TestSuccessiveImports(t *testing.T) {
	t.Parallel()
	url := startForImports(t, "64MiB")
	text := stateText(200_000)
	random := rand.New(rand.NewPCG(1, 1))
	lengths := []int{7 << 20}
	for range 6 {
		lengths = append(lengths, 1<<20+random.IntN(9<<20))
	}
	refused := 0
	for i := 0; i < len(lengths); i++ {
		body := importOf(text, lengths[i])
		if random.IntN(2) == 0 {
			body = inChunks(body)
		}
		status, after, answer := importText(t, url, body)
		if status == 200 {
			continue
		}
		told := toldFigures.FindStringSubmatch(answer)
		if status != 503 || after != "" || told == nil {
			t.Fatalf("import %d of %d bytes: %d, Retry-After %q, %s", i, lengths[i], status, after, answer)
		}
		mib, err := strconv.ParseFloat(told[1], 64)
		if err != nil || int(mib*(1<<20)) > lengths[i] {
			t.Fatalf("import %d of %d bytes: %s", i, lengths[i], answer)
		}
		refused++
		lengths = slices.Insert(lengths, i+1, int(mib*(1<<20)*0.99)) // the figure is rounded
	}
	if refused == 0 {
		t.Error("no import was refused")
	}
}

// importOf returns the beginning of the state as a state of about the given length.
func importOf(text string, length int) io.Reader {
	end := strings.LastIndexByte(text[:length-2], '}')
	return strings.NewReader(text[:end+1] + "]}")
}
