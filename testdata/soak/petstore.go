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
	"time"
)

// petstore is the server under load.
type petstore struct {
	url      string
	cmd      *exec.Cmd
	requests atomic.Int64
}

// start builds petstore and runs it on a free port.
func start(ctx context.Context) (*petstore, error) {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "petstore")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "example.com/petstore").
		CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	p := &petstore{cmd: exec.Command(binary, "--addr", "127.0.0.1:0", "--max-memory", "512MiB", "--sandbox-ttl", "30s",
		"--max-sandboxes", "200", "--log-level", "error")}
	p.cmd.Stderr = os.Stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("petstore printed no address: %w", err)
	}
	_, p.url, _ = strings.Cut(strings.TrimSpace(line), " on ")
	return p, nil
}

func (p *petstore) stop() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// figures are metrics of the server.
type figures struct{ resident, used, sandboxes, descriptors, goroutines int64 }

func (f figures) String() string {
	return fmt.Sprintf("%4d MiB resident  %4d MiB in use  %4d sandboxes  %4d descriptors  %4d goroutines",
		f.resident>>20, f.used>>20, f.sandboxes, f.descriptors, f.goroutines)
}

// compare returns an error that names each figure that has grown.
func (f figures) compare(before figures) error {
	var errs []error
	for _, figure := range []struct {
		name              string
		now, before, most int64
	}{
		{"bytes in use", f.used, before.used, before.used + before.used/4 + 4<<20},
		{"resident bytes", f.resident, before.resident, before.resident + before.resident/2 + 16<<20},
		{"descriptors", f.descriptors, before.descriptors, before.descriptors + 2},
		{"goroutines", f.goroutines, before.goroutines, before.goroutines + 2},
	} {
		if figure.now > figure.most {
			errs = append(errs, fmt.Errorf("%s have grown from %d to %d", figure.name, figure.before, figure.now))
		}
	}
	return errors.Join(errs...)
}

var sample = regexp.MustCompile(`(?m)^(\w+) (\S+)$`)

// read reads the server's metrics.
func (p *petstore) read(ctx context.Context) (figures, error) {
	text, err := p.do(ctx, http.MethodGet, "/metrics")
	values := make(map[string]int64)
	for _, match := range sample.FindAllSubmatch(text, -1) {
		value, _ := strconv.ParseFloat(string(match[2]), 64)
		values[string(match[1])] = int64(value)
	}
	return figures{resident: values["process_resident_memory_bytes"], used: values["petstore_memory_used_bytes"],
		sandboxes: values["petstore_sandboxes"], descriptors: values["process_open_fds"],
		goroutines: values["go_goroutines"]}, err
}

// settle drops all sandboxes. It returns the figures once they no longer fall.
func (p *petstore) settle(ctx context.Context) (figures, error) {
	if err := p.dropSandboxes(ctx); err != nil {
		return figures{}, err
	}
	last, err := p.read(ctx)
	for quiet := 0; quiet < 5 && err == nil; quiet++ {
		for range 2000 { // makes garbage, because the memory in use is what the last collection measured
			if _, err := p.do(ctx, http.MethodGet, "/pets?limit=100"); err != nil {
				return last, err
			}
		}
		next, failed := p.read(ctx)
		if next.used < last.used-last.used/50 || next.descriptors < last.descriptors {
			quiet = 0
		}
		last, err = next, failed
		time.Sleep(200 * time.Millisecond)
	}
	return last, err
}

// dropSandboxes drops all sandboxes except the default one, page by page.
func (p *petstore) dropSandboxes(ctx context.Context) error {
	for {
		var sandboxes []struct{ Name string }
		body, err := p.do(ctx, http.MethodGet, "/admin/sandboxes?limit=1000")
		if err == nil {
			err = json.Unmarshal(body, &sandboxes)
		}
		if err != nil || len(sandboxes) == 1 {
			return err
		}
		for _, sb := range sandboxes {
			if sb.Name == "default" {
				continue
			}
			if _, err := p.do(ctx, http.MethodDelete, "/admin/sandboxes/"+sb.Name); err != nil {
				return err
			}
		}
	}
}

// do sends a request and returns the body of the answer. A 404 is no error.
func (p *petstore) do(ctx context.Context, method, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusBadRequest && response.StatusCode != http.StatusNotFound {
		err = fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, body)
	}
	return body, err
}
