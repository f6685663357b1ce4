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
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// connections is the number of concurrent clients.
const connections = 32

// rounds is the number of turns for each of the two servers.
const rounds = 10

// compare reports the service's requests per second and processor time as
// multiples of the bare server's, which writes the same bytes.
func compare(b *testing.B, pets int, request string, rps, cpu bound) {
	service := startProgram(b, pets)
	plain := startBare(b, service.answer(b, request))
	compareWith(b, request, service, plain, "bare", rps, cpu)
}

// compareWith reports the requests per second and the processor time of a service as multiples of
// another server's.
func compareWith(b *testing.B, request string, service, other *process, name string, rps, cpuBound bound) {
	var took, cpu [2]float64
	b.ResetTimer()
	for round := range rounds {
		n := b.N/rounds + min(1, max(0, b.N%rounds-round))
		for i, p := range []*process{other, service} {
			before := p.cpu()
			took[i] += load(b, p.addr, request, n).Seconds()
			cpu[i] += p.cpu() - before
		}
	}
	b.StopTimer()
	if took[1] > 0 {
		report(b, figure{took[0] / took[1], "rps/" + name, rps})
		b.ReportMetric(float64(b.N)/took[1], "rps")
	}
	if cpu[0] > 0 {
		report(b, figure{cpu[1] / cpu[0], "cpu/" + name, cpuBound})
	}
	b.ReportMetric(service.megabytes(), "MB")
}

// load sends n requests over all connections and returns the elapsed time.
func load(b *testing.B, addr, request string, n int) time.Duration {
	b.Helper()
	var clients sync.WaitGroup
	faults := make(chan error, connections)
	begin := time.Now()
	for c := range min(connections, n) {
		share := n/connections + min(1, max(0, n%connections-c))
		clients.Go(func() {
			if err := ask(addr, request, share); err != nil {
				faults <- err
			}
		})
	}
	clients.Wait()
	took := time.Since(begin)
	select {
	case err := <-faults:
		b.Fatal(err)
	default:
	}
	return took
}

// ask sends a request n times over one connection, each after the previous response. It does as
// little as possible, so that the server's work dominates.
func ask(addr, request string, n int) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 16<<10)
	message := []byte(request)
	for range n {
		if _, err := conn.Write(message); err != nil {
			return err
		}
		if err := skipAnswer(in); err != nil {
			return err
		}
	}
	return nil
}

var contentLength = []byte("Content-Length: ")

func skipAnswer(in *bufio.Reader) error {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if len(line) < 10 || line[9] != '2' {
		return fmt.Errorf("answered with %q", line)
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 {
			_, err := io.CopyN(io.Discard, in, int64(length))
			return err
		}
		if rest, ok := bytes.CutPrefix(line, contentLength); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(rest))); err != nil {
				return err
			}
		}
	}
}

// answerVariable makes the test binary run as a bare server that responds with this HTTP message,
// encoded in base64.
const answerVariable = "PETSTORE_BUDGET_ANSWER"

func TestMain(m *testing.M) {
	if os.Getenv(answerVariable) == "" {
		code := programtest.Run(m)
		printTable()
		os.Exit(code)
	}
	if err := serveBare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveBare prints its address as the program does and serves until it is killed.
func serveBare() error {
	handler, err := bare()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("bare listening on http://%s\n", listener.Addr())
	return http.Serve(listener, handler)
}

// startProgram starts the program with the given number of pets and other flags.
func startProgram(b *testing.B, pets int, flags ...string) *process {
	b.Helper()
	return start(b, programtest.Petstore, nil,
		append([]string{"--addr", "127.0.0.1:0", "--pets", strconv.Itoa(pets), "--max-records", "1000000000"},
			flags...)...)
}

// startBare starts a bare server that responds with the message.
func startBare(b *testing.B, message []byte) *process {
	b.Helper()
	itself := func() (string, error) { return os.Args[0], nil }
	return start(b, itself, func(cmd *exec.Cmd) {
		cmd.Env = []string{answerVariable + "=" + base64.StdEncoding.EncodeToString(message)}
	})
}

// bare returns a handler that reads the body of each request and responds with the same message.
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
	answer.Header.Del("Date") // net/http sets its own
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

// process is a running server. Its standard error is not copied to the benchmarks' output, where it
// would split lines.
type process struct {
	*programtest.Process
	addr string
}

func start(b *testing.B, binary programtest.Binary, change func(*exec.Cmd), flags ...string) *process {
	b.Helper()
	p := programtest.Start(b, binary, change, flags...)
	return &process{Process: p, addr: strings.TrimPrefix(p.URL, "http://")}
}

// answer returns the server's response to a request, as it was sent.
func (p *process) answer(b *testing.B, request string) []byte {
	b.Helper()
	conn := must.Get(net.Dial("tcp", p.addr))(b)
	defer conn.Close()
	must.Get(io.WriteString(conn, request))(b)
	answer := must.Get(http.ReadResponse(bufio.NewReader(conn), nil))(b)
	if answer.StatusCode >= 400 {
		b.Fatalf("%q is answered with %s", request, answer.Status)
	}
	message := must.Get(httputil.DumpResponse(answer, true))(b)
	return message
}

// cpu returns the processor time of the server in clock ticks, or 0 if the system does not report
// it.
func (p *process) cpu() float64 { return sum(p.stat(), 13, 15) }

// stat returns the fields of /proc/PID/stat (proc(5)), numbered from 0.
func (p *process) stat() []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Cmd.Process.Pid))
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

// megabytes returns the server's resident memory in MB, or 0 if the system does not report it.
func (p *process) megabytes() float64 {
	return sum(p.stat(), 23, 24) * float64(os.Getpagesize()) / 1e6
}
