package command

import (
	"context"
	"strings"
	"testing"
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
