package command

import (
	"context"
	"strings"
	"testing"
)

// TestStopWhileSeeding checks that a program stopped before it has its data logs this and nothing
// else, and does not print an address.
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
