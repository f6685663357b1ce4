package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// TestProgressIsForTerminals reports progress until the bar appears after a second, without
// seeding.
func TestProgressIsForTerminals(t *testing.T) {
	t.Parallel()
	o := options{}
	o.SetDefaults(func(string) bool { return false })
	if show, _ := o.progress(io.Discard); show != nil {
		t.Error("a bar without a terminal")
	}
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "log")))(t)
	defer file.Close()
	terminal, screen := openTerminal(t)
	if isTerminal(file) || isTerminal(programtest.NewTranscript()) || !isTerminal(terminal) {
		t.Error("a file or a transcript is a terminal, or a terminal is none")
	}
	o.terminal = true
	show, done := o.progress(terminal)
	if show == nil {
		t.Fatal("no bar on a terminal")
	}
	began := time.Now()
	tick := time.NewTicker(progressAfter / 100)
	defer tick.Stop()
	for made := 0; screen.String() == ""; made = (made + 1) % 100 {
		<-tick.C
		if time.Since(began) > programtest.Patience {
			t.Fatal("the bar does not appear")
		}
		show(made)
	}
	if took := time.Since(began); took < progressAfter {
		t.Errorf("the bar appears after %v, want %v", took, progressAfter)
	}
	done()
	terminal.Close()
	if screen.Line("\r"); !strings.Contains(screen.String(), "seeding") {
		t.Errorf("the screen has shown %q, want seeding in it", screen)
	}
}

// openTerminal opens a pseudo-terminal and records its output.
func openTerminal(t *testing.T) (terminal *os.File, screen *programtest.Transcript) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	must.Succeed(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number := must.Get(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))(t)
	if terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	screen = programtest.NewTranscript()
	go func() {
		defer screen.End()
		buffer := make([]byte, 1024)
		for {
			n, err := master.Read(buffer)
			if err != nil {
				return // the terminal is closed
			}
			_, _ = screen.Write(buffer[:n])
		}
	}()
	return terminal, screen
}
