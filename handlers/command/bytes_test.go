package command

import (
	"strings"
	"testing"
)

// TestBytesFlags checks the usual meaning of units: MiB is 2^20 bytes, MB is 10^6 bytes, and M is
// 2^20 bytes, as for Docker and the JVM.
func TestBytesFlags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"268435456": 256 << 20, "256MiB": 256 << 20, "256mib": 256 << 20, "256M": 256 << 20, "2GiB": 2 << 30, "1.5g": 3 << 29,
		"256MB": 256e6, "256mb": 256e6, "1GB": 1e9, "2GB": 2e9, "64000kB": 64e6, "268435456B": 256 << 20,
	} {
		o, err := parsed(t, nil, "--max-memory", text)
		if err != nil || o.Config.MaxMemory != want {
			t.Errorf("--max-memory %s is %d, %v; want %d", text, o.Config.MaxMemory, err, want)
		}
	}
	const other = "must be a number of bytes such as 268435456, 256MiB, 256MB or 2GiB"
	for text, want := range map[string]string{
		"64":   "must be at least 48MiB, not 64B; a number without a unit is in bytes",
		"16MB": "must be at least 48MiB, not 15.26MiB",
		"-1":   other, "lots": other, "": other, "64Mb/s": other, "64MiBB": other,
	} {
		if _, err := parsed(t, nil, "--max-memory="+text); err == nil || !strings.HasPrefix(err.Error(), "--max-memory "+want) {
			t.Errorf("--max-memory %s: %v, want %s", text, err, want)
		}
	}
}

// TestSandboxMemoryThatBoundsNothing checks that a flag without effect causes a warning.
func TestSandboxMemoryThatBoundsNothing(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--max-memory", "64GiB", "--sandbox-memory", "65GiB")
	const want = `level=WARN msg="--sandbox-memory is more than the whole server may use, so it bounds nothing; choose less, or a larger --max-memory" sandbox-memory=65GiB max-memory=64GiB`
	if got := p.Stderr.String(); !strings.Contains(got, want) {
		t.Errorf("standard error is %q, want the warning %s", got, want)
	}
	p = startRun(t, nil, "--addr", "127.0.0.1:0", "--max-memory", "64GiB", "--sandbox-memory", "64GiB")
	if got := p.Stderr.String(); strings.Contains(got, "WARN") {
		t.Errorf("standard error is %q, want no warning", got)
	}
}
