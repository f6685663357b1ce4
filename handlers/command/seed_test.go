package command

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// TestStopWhileSeeding checks that a program stopped before it has its data logs this and nothing
// else, and does not print an address.
func TestStopWhileSeeding(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr strings.Builder
	code := Run(ctx, []string{"--addr", "127.0.0.1:0", "--pets", "1000"}, nil, nil, &stdout, &stderr)
	if code != exitOK || stdout.String() != "" || strings.Count(stderr.String(), "\n") != 1 ||
		!strings.Contains(stderr.String(), `level=WARN msg="stopped before it listened"`) {
		t.Errorf("exit code %d, output %q, standard error %q", code, stdout.String(), stderr.String())
	}
}

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

var suggestion = regexp.MustCompile(`enough for a body of ([0-9.]+)MiB;.* --max-memory (\d+MiB) or more`)

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
	figures := suggestion.FindStringSubmatch(answer)
	if status != 503 || after != "" || figures == nil {
		t.Fatalf("too long: %d, Retry-After %q, %s", status, after, answer)
	}
	mib := must.Get(strconv.ParseFloat(figures[1], 64))(t)
	const rounded = 0.1 // the figure is rounded, and the used memory varies
	accepts("a body of "+figures[1]+"MiB", url, strings.NewReader(long[:int((mib-rounded)*(1<<20))]))
	accepts("with --max-memory "+figures[2], start(figures[2]), strings.NewReader(long))
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
		figures := suggestion.FindStringSubmatch(answer)
		if status != 503 || after != "" || figures == nil {
			t.Fatalf("import %d of %d bytes: %d, Retry-After %q, %s", i, lengths[i], status, after, answer)
		}
		mib, err := strconv.ParseFloat(figures[1], 64)
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

// TestTooMuchDataFailsEarly checks that a start with more data than --max-memory allows
// fails before all of the data is generated or read.
func TestTooMuchDataFailsEarly(t *testing.T) {
	t.Parallel()
	large := fileOf(t, "")
	must.Succeed(t, os.Truncate(large, maxPipe+1))
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"fakes": {[]string{"--max-memory", "64MiB", "--pets", "9000000"},
			"--max-memory of 64MiB is too little for so many records; allow at least 1321MiB, or start with fewer"},
		"a device that is read without end": {
			[]string{"--max-memory", "1GiB", "--fixtures", "/dev/zero"},
			"--fixtures: /dev/zero has more than 64MiB, the maximum for a pipe or a device; save it as a " +
				"file, which may be larger, and name that",
		},
		"a file of that length, which is read": {
			[]string{"--max-memory", "1GiB", "--fixtures", large},
			"the file has 67108865 bytes, but YAML can have at most 2097152",
		},
		"a device as a world": {[]string{"--max-memory", "1GiB", "--world", "/dev/zero"},
			"--world: /dev/zero has more than 64MiB"},
		"a device": {[]string{"--max-memory", "64MiB", "--fixtures", "/dev/zero"},
			"--fixtures: /dev/zero has more than 10.67MiB, the most that --max-memory leaves for it; use a smaller " +
				"one, or allow more"},
	} {
		result := programtest.RunToEnd(t, append([]string{"--addr", "127.0.0.1:0"}, test.args...)...)
		if result.Code != 2 || !strings.Contains(result.Stderr, test.want) {
			t.Errorf("%s: exit code %d, standard error %s; want 2, %s", name, result.Code, result.Stderr, test.want)
		}
	}
}

// TestReplayInTwoProcesses checks that a failing run is reproducible: the same seed and the same
// 1,000 requests, with faults at 30 %, must get the same 1,000 responses in another process and in
// a sandbox with another name.
func TestReplayInTwoProcesses(t *testing.T) {
	t.Parallel()
	one, failed := replay(t, programtest.StartPetstore(t, "--seed", "5", "--error-rate", "0.3"), "ada", 1000)
	two, _ := replay(t, programtest.StartPetstore(t, "--seed", "5", "--error-rate", "0.3"), "bob", 1000)
	for i := range one {
		if one[i] != two[i] {
			t.Fatalf("answer %d is\n%s\nin the first process and\n%s\nin the second", i, one[i], two[i])
		}
	}
	if failed < 250 || failed > 350 {
		t.Errorf("%d of 1,000 requests failed, want about 300", failed)
	}
	if other, _ := replay(t, programtest.StartPetstore(t, "--seed", "6", "--error-rate", "0.3"), "ada",
		100); slices.Equal(other, one[:100]) {
		t.Error("seeds 5 and 6 give the same answers")
	}
}

// replay makes the given number of requests in the sandbox, one after another, and returns the
// responses and the number of faults among them.
func replay(t *testing.T, p *programtest.Process, sandbox string, requests int) (answers []string, failed int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for range requests {
		method, path, body := anyRequest(rng)
		answer := programtest.Send(t, method, p.URL+path, strings.NewReader(body), "X-Sandbox", sandbox)
		if answer.Status == http.StatusServiceUnavailable {
			failed++
		}
		answer.Header.Del("Date")
		answer.Header.Del("X-Sandbox")
		answers = append(answers, fmt.Sprint(method, path, answer))
	}
	return answers, failed
}

func anyRequest(rng *rand.Rand) (method, path, body string) {
	id := 1 + rng.IntN(120)
	switch rng.IntN(6) {
	case 0:
		return http.MethodPost, "/pets", fmt.Sprintf(`{"name": "Pet %d", "categoryId": %d}`, id, 1+rng.IntN(9))
	case 1:
		return http.MethodDelete, fmt.Sprintf("/pets/%d", id), ""
	case 2:
		return http.MethodPatch, fmt.Sprintf("/pets/%d", id), `{"status": "sold"}`
	case 3:
		return http.MethodGet, fmt.Sprintf("/pets/%d", id), ""
	case 4:
		return http.MethodPut, fmt.Sprintf("/store/inventory/%d", id), fmt.Sprintf(`{"quantity": %d}`, id)
	}
	return http.MethodGet, fmt.Sprintf("/pets?status=sold&limit=5&offset=%d", id), ""
}
