package budget

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// answerVariable makes the test binary, run again, a bare server that answers
// with the HTTP message in it, in base64.
const answerVariable = "PETSTORE_BUDGET_ANSWER"

func TestMain(m *testing.M) {
	if os.Getenv(answerVariable) == "" {
		os.Exit(m.Run())
	}
	if err := serveBare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveBare says its address as the program does and serves until it is killed.
func serveBare() error {
	handler, err := bare()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	return http.Serve(listener, handler)
}

// program builds the real program once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "petstore-budget")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "petstore")
	out, err := exec.Command("go", "build", "-o", path, "example.com/petstore").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// startProgram starts the real program with a number of pets, and other flags.
func startProgram(b *testing.B, pets int, flags ...string) *process {
	b.Helper()
	path, err := program()
	if err != nil {
		b.Fatal(err)
	}
	flags = append(flags, "--addr", "127.0.0.1:0", "--pets", strconv.Itoa(pets), "--max-records", "1000000000")
	return start(b, exec.Command(path, flags...))
}

// startBare starts a bare server that answers with the message.
func startBare(b *testing.B, message []byte) *process {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), answerVariable+"="+base64.StdEncoding.EncodeToString(message))
	return start(b, cmd)
}

// bare answers every request with the same message, after reading its body.
func bare() (http.Handler, error) {
	message, err := base64.StdEncoding.DecodeString(os.Getenv(answerVariable))
	if err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(message)), nil)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	answer.Header.Del("Date") // net/http writes its own
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > 0 {
			_, _ = io.ReadAll(r.Body)
		}
		header := w.Header()
		for name, values := range answer.Header {
			header[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = w.Write(body)
	}), nil
}

// process is a server that runs.
type process struct {
	addr string
	cmd  *exec.Cmd
}

func start(b *testing.B, cmd *exec.Cmd) *process {
	b.Helper()
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatalf("%s did not say its address: %v", cmd, err)
	}
	_, addr, _ := strings.Cut(strings.TrimSpace(line), "http://")
	return &process{addr: addr, cmd: cmd}
}

// answer returns the server's answer to a request, as it goes over the wire.
func (p *process) answer(b *testing.B, request string) []byte {
	b.Helper()
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		b.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		b.Fatal(err)
	}
	if answer.StatusCode >= 400 {
		b.Fatalf("%q is answered with %s", request, answer.Status)
	}
	message, err := httputil.DumpResponse(answer, true)
	if err != nil {
		b.Fatal(err)
	}
	return message
}

// cpu returns the processor time that the server has taken, in clock ticks, or 0
// where the system does not tell.
func (p *process) cpu() float64 { return sum(p.stat(), 13, 15) }

// stat returns the fields of /proc/PID/stat (proc(5)), numbered from 0.
func (p *process) stat() []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

func sum(fields []string, from, to int) float64 {
	total := 0.0
	for i := from; i < to && i < len(fields); i++ {
		n, _ := strconv.ParseFloat(fields[i], 64)
		total += n
	}
	return total
}

// resident returns the server's resident memory in bytes, or 0 where the system
// does not tell.
func (p *process) resident() float64 {
	return sum(p.stat(), 23, 24) * float64(os.Getpagesize())
}
