package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// petstore is the program under load.
type petstore struct {
	url      string
	cmd      *exec.Cmd
	stderr   *strings.Builder // read once the program has ended
	ended    chan struct{}
	requests atomic.Int64
}

// start builds the program and runs it on a free port.
func start(ctx context.Context) (*petstore, error) {
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	binary := filepath.Join(folder, "petstore")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "example.com/petstore").
		CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building petstore: %w\n%s", err, out)
	}
	p := &petstore{
		cmd: exec.Command(binary, "--addr", "127.0.0.1:0", "--max-memory", "512MiB", "--sandbox-ttl", "30s",
			"--max-sandboxes", "200", "--log-level", "error"),
		stderr: new(strings.Builder), ended: make(chan struct{}),
	}
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("petstore says nothing: %w", err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
	}()
	_, address, _ := strings.Cut(strings.TrimSpace(line), " on ")
	p.url = address
	return p, nil
}

func (p *petstore) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// reading is what the program holds.
type reading struct {
	resident, used                  int64 // bytes
	sandboxes, descriptors, threads int
	goroutines                      int // 0: not counted
}

// String returns the reading in words.
func (r reading) String() string {
	text := fmt.Sprintf("%4d MiB resident  %4d MiB in use  %4d sandboxes  %4d descriptors  %3d threads",
		r.resident>>20, r.used>>20, r.sandboxes, r.descriptors, r.threads)
	if r.goroutines > 0 {
		text += fmt.Sprintf("  %4d goroutines", r.goroutines)
	}
	return text
}

// compare returns what has grown since the reading before.
func (r reading) compare(before reading) error {
	var errs []error
	if r.used > before.used+before.used/4+4<<20 {
		errs = append(errs, fmt.Errorf("the memory in use has grown from %d to %d bytes", before.used, r.used))
	}
	if r.resident > before.resident+before.resident/2+16<<20 {
		errs = append(errs,
			fmt.Errorf("the resident memory has grown from %d to %d bytes", before.resident, r.resident))
	}
	if r.descriptors > before.descriptors+2 {
		errs = append(errs, fmt.Errorf("the descriptors have grown from %d to %d", before.descriptors, r.descriptors))
	}
	if r.goroutines > before.goroutines+2 {
		errs = append(errs, fmt.Errorf("the goroutines have grown from %d to %d", before.goroutines, r.goroutines))
	}
	return errors.Join(errs...)
}

var statusLine = regexp.MustCompile(`(?m)^(VmRSS|Threads):\s+(\d+)`)

func (p *petstore) read(ctx context.Context) (reading, error) {
	var r reading
	folder := fmt.Sprintf("/proc/%d/", p.cmd.Process.Pid)
	status, err := os.ReadFile(folder + "status")
	if err != nil {
		return r, err
	}
	for _, match := range statusLine.FindAllStringSubmatch(string(status), -1) {
		n, err := strconv.Atoi(match[2])
		if err != nil {
			return r, err
		}
		if match[1] == "Threads" {
			r.threads = n
		} else {
			r.resident = int64(n) << 10
		}
	}
	open, err := os.ReadDir(folder + "fd")
	if err != nil {
		return r, err
	}
	r.descriptors = len(open)
	var summary struct {
		Sandboxes int
		Memory    struct{ Used int64 }
	}
	if err := p.admin(ctx, http.MethodGet, "/admin", &summary); err != nil {
		return r, err
	}
	r.sandboxes, r.used = summary.Sandboxes, summary.Memory.Used
	return r, nil
}

// dropSandboxes drops all but the default one, page by page.
func (p *petstore) dropSandboxes(ctx context.Context) error {
	for {
		var sandboxes []struct{ Name string }
		if err := p.admin(ctx, http.MethodGet, "/admin/sandboxes?limit=1000", &sandboxes); err != nil ||
			len(sandboxes) == 1 {
			return err
		}
		for _, sb := range sandboxes {
			if sb.Name == "default" {
				continue
			}
			if err := p.admin(ctx, http.MethodDelete, "/admin/sandboxes/"+sb.Name, nil); err != nil {
				return err
			}
		}
	}
}

// settle drops all sandboxes and returns what the program holds then, when that has
// stopped falling.
func (p *petstore) settle(ctx context.Context) (reading, error) {
	if err := p.dropSandboxes(ctx); err != nil {
		return reading{}, err
	}
	http.DefaultClient.CloseIdleConnections()
	last, err := p.read(ctx)
	for quiet := 0; quiet < 5 && err == nil; quiet++ {
		if err := p.collect(ctx); err != nil {
			return last, err
		}
		next, readErr := p.read(ctx)
		if next.used < last.used-last.used/50 || next.descriptors < last.descriptors {
			quiet = 0
		}
		last, err = next, readErr
		http.DefaultClient.CloseIdleConnections()
		time.Sleep(200 * time.Millisecond)
	}
	return last, err
}

// collect makes garbage until Go's collector has run, since what is in use is what it
// found last.
func (p *petstore) collect(ctx context.Context) error {
	for range 2000 {
		if err := p.admin(ctx, http.MethodGet, "/pets?limit=100", nil); err != nil {
			return err
		}
	}
	return nil
}

// goroutines ends the program and returns how many goroutines it had.
func (p *petstore) goroutines() int {
	_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	<-p.ended
	return strings.Count(p.stderr.String(), "\ngoroutine ")
}

func (p *petstore) admin(ctx context.Context, method, path string, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest && response.StatusCode != http.StatusNotFound {
		return fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, body)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(body, into)
}
