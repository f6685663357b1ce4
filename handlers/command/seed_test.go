package command

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestStopWhileSeeding wants a program that is told to stop before it has its data
// to say so in its log, and nothing else: least of all that it listens.
func TestStopWhileSeeding(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr strings.Builder
	code := Run(ctx, []string{"--addr", "127.0.0.1:0", "--pets", "1000"}, nil, nil, &stdout, &stderr)
	if code != exitOK || stdout.String() != "" || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), `level=WARN msg="stopped before it listened"`) {
		t.Errorf("exit code %d, output %q, standard error %q", code, stdout.String(), stderr.String())
	}
}

func TestSameSeedSameBytesInTwoProcesses(t *testing.T) {
	t.Parallel()
	everything := func(p *programtest.Process) string {
		var all strings.Builder
		for _, path := range []string{"/pets", "/categories", "/store/orders", "/store/inventory"} {
			got := programtest.Get(t, p.URL+path+"?limit=1000")
			got.Header.Del("Date")
			fmt.Fprintln(&all, path, got.Status, got.Header, got.Body)
		}
		return all.String()
	}
	one := everything(programtest.StartPetstore(t, "--seed", "42", "--pets", "500"))
	two := everything(programtest.StartPetstore(t, "--seed", "42", "--pets", "500"))
	if one != two {
		t.Errorf("two processes of seed 42 differ:\n%.2000s\n%.2000s", one, two)
	}
	if other := everything(programtest.StartPetstore(t, "--seed", "43", "--pets", "500")); other == one {
		t.Error("seeds 42 and 43 give the same")
	}
}
