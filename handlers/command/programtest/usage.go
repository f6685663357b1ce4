package programtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// Usage is the resource usage of a process.
type Usage struct {
	Resident    int64 // memory in bytes
	Threads     int
	Descriptors int // open files, including sockets
}

func (u Usage) String() string {
	return fmt.Sprintf("%.1f MB resident, %d threads, %d descriptors", float64(u.Resident)/1e6, u.Threads,
		u.Descriptors)
}

// Usage returns the process's current resource usage. It skips the test on a system without /proc.
func (p *Process) Usage(t testing.TB) Usage {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d", p.Cmd.Process.Pid)
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		t.Skipf("what a process holds is read from /proc: %v", err)
	}
	files := must.Get(os.ReadDir(dir + "/fd"))(t)
	u := Usage{Descriptors: len(files)}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		number, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch name {
		case "VmRSS":
			u.Resident = number << 10
		case "Threads":
			u.Threads = int(number)
		}
	}
	return u
}
