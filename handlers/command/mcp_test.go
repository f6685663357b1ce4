package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

const (
	mcpHello = `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", ` +
		`"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}` + "\n"
	mcpTools = `{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}` + "\n"
)

// startAgent starts petstore as a coding agent does, and returns the other ends of its standard
// input and output.
func startAgent(t *testing.T,
	args ...string) (cmd *exec.Cmd, stdin io.WriteCloser, stdout io.ReadCloser, stderr *programtest.Transcript) {
	t.Helper()
	cmd = exec.Command(programtest.Petstore.Path(t), append([]string{"--mcp"}, args...)...)
	cmd.Env = []string{}
	stderr = programtest.NewTranscript()
	cmd.Stderr = stderr
	stdin = must.Get(cmd.StdinPipe())(t)
	stdout = must.Get(cmd.StdoutPipe())(t)
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, stdin, stdout, stderr
}

// TestMCP starts the program as an agent does, and uses the service at the address that it returns.
// Standard output must have an answer to each message, the last ones too, and nothing else.
func TestMCP(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{
		"plain": nil, "keys": {"--admin-key", "root", "--api-key", "api"}, "every address": {"--addr", "0.0.0.0:0"},
		"TLS": {"--tls"}, "verbose": {"-v"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, stdin, stdout, stderr := startAgent(t, flags...)
			answers := json.NewDecoder(stdout)
			send := func(message string) (result struct {
				Instructions      string
				StructuredContent struct{ Addresses struct{ Service string } }
				Content           []struct{ Text string }
				IsError           bool
			}) {
				t.Helper()
				_, _ = io.WriteString(stdin, message)
				answer := struct{ Result any }{&result}
				if err := answers.Decode(&answer); err != nil || result.IsError {
					t.Fatalf("%s: %+v, %v; standard error:\n%s", message, result, err, stderr)
				}
				return result
			}
			call := func(tool string) string {
				return `{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "` + tool + `"}}` + "\n"
			}
			instructions := send(mcpHello).Instructions
			if address := send(call("get_status")).StructuredContent.Addresses.Service; name == "plain" {
				if got := programtest.Get(t, address+"/pets/7"); got.Status != http.StatusOK {
					t.Errorf("GET %s/pets/7 = %d", address, got.Status)
				}
				if line := stderr.Line(" listening on "); !strings.HasSuffix(line, address) ||
					!strings.Contains(instructions, address+".") {
					t.Errorf("it listens on %s, standard error says %q, and it says of itself %s", address, line,
						instructions)
				}
				if text := send(call("list_requests")).
					Content[0].Text; !strings.Contains(text, `"operationId":"getPet"`) {
					t.Errorf("the requests are %s", text)
				}
			}
			_, _ = io.WriteString(stdin, mcpTools+"what?\n"+mcpTools)
			stdin.Close()
			for n := range 4 {
				var message struct{ JSONRPC string }
				err := answers.Decode(&message)
				if n == 3 && errors.Is(err, io.EOF) {
					break
				}
				if err != nil || message.JSONRPC != "2.0" || n == 3 {
					t.Fatalf("message %d after the end of its input: %+v, %v; want 3", n+1, message, err)
				}
			}
			if err := cmd.Wait(); err != nil || stderr.Line("standard input ended, and --mcp is set") == "" {
				t.Errorf("it ended with %v; standard error:\n%s", err, stderr)
			}
		})
	}
}

// TestMCPWithUnreadAnswers checks that a signal ends the program even if its output is not read,
// and that it stops reading calls meanwhile.
func TestMCPWithUnreadAnswers(t *testing.T) {
	t.Parallel()
	cmd, stdin, stdout, stderr := startAgent(t)
	const most = 1 << 20 // bytes; far more than the system's pipes hold
	blocked := make(chan int, 1)
	go func() {
		written, _ := io.WriteString(stdin, mcpHello)
		for written < most {
			n, err := io.WriteString(stdin, mcpTools)
			if written += n; err != nil {
				break
			}
		}
		blocked <- written
	}()
	if _, err := io.ReadFull(stdout, make([]byte, 100)); err != nil { // it has started to respond
		t.Fatal(err)
	}
	select {
	case written := <-blocked:
		t.Errorf("%d bytes of calls were read, though no response was", written)
	case <-time.After(time.Second / 2): // longer than it takes to read them all
	}
	must.Succeed(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v; standard error:\n%s", err, stderr)
	}
}

// TestWaitingToolsReserveNoMemory calls as many waiting tools as the server allows. The server's
// memory could not hold all their largest results at once.
func TestWaitingToolsReserveNoMemory(t *testing.T) {
	t.Parallel()
	const waiting = 150
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--max-connections", "200", "--max-memory", "96MiB")
	call := func(ctx context.Context, tool, arguments string) string {
		body := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "` + tool + `", "arguments": ` +
			arguments + `}}`
		answer,
			err := programtest.Request(ctx, new(http.Transport), http.MethodPost, p.URL+"/mcp", strings.NewReader(body),
			"Content-Type", "application/json", "Accept", "application/json, text/event-stream")
		return fmt.Sprint(answer.Status, " ", answer.Body, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan string, waiting+1)
	for range waiting + 1 {
		go func() { ended <- call(ctx, "wait_for_requests", `{"status": "499", "wait": "1m"}`) }()
	}
	if first := <-ended; !strings.Contains(first, "unavailable") {
		t.Errorf("the one that is too many: %.300s, want the error unavailable", first)
	}
	if got := call(t.Context(), "list_records", `{"collection": "pets"}`); !strings.HasPrefix(got, "200 ") ||
		strings.Contains(got, `"isError":true`) {
		t.Errorf("beside those that wait: %.300s", got)
	}
	cancel()
	for range waiting {
		<-ended
	}
}
