package command

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

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
	if other, _ := replay(t, programtest.StartPetstore(t, "--seed", "6", "--error-rate", "0.3"), "ada", 100); slices.Equal(other, one[:100]) {
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
