package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers/command/connections"
	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// attackFor is the duration of each attack of TestUnderAttack.
var attackFor = flag.Duration("attack", 0,
	"attack with all connections, one attack after the other, each for so long; 0: a moment, with few, all at once")

// attack is a denial-of-service attack on the program.
type attack struct {
	name        string
	small, full int // connections, or streams
	tls         bool
	args        []string
	// begin starts the attack with n connections and returns when it is under way. The attack ends
	// with the context, and has ended when wait returns.
	begin func(ctx context.Context, t *testing.T, p *programtest.Process, n int) (wait func())
}

// TestUnderAttack checks that every request of another client succeeds during an attack, and that
// the resources are released afterwards. With -attack and -v it logs how much longer the requests
// of the other client take:
//
//	go test ./handlers/command -run TestUnderAttack -attack 20s -v -timeout 30m
func TestUnderAttack(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thousands of connections")
	}
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			if *attackFor == 0 { // longer attacks run one at a time
				t.Parallel()
			}
			underAttack(t, a)
		})
	}
}

func underAttack(t *testing.T, a attack) {
	n, lasts := a.small, 60*time.Millisecond
	if *attackFor > 0 {
		n, lasts = a.full, *attackFor
	}
	n = affordable(t, n)
	args := append([]string{"--addr", "127.0.0.1:0", "--pets", "2000"}, a.args...)
	transport := new(http.Transport)
	if a.tls {
		cert, key, pool := certificate(t)
		args = append(args, "--tls-cert", cert, "--tls-key", key)
		transport = trusting(pool)
	}
	p := programtest.Start(t, programtest.Petstore, nil, args...)
	defer p.Kill()
	honest := visitor{t: t, url: p.URL, transport: transport}
	honest.visit(lasts / 4) // warm-up
	alone := honest.visit(lasts)
	before := p.Usage(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := a.begin(ctx, t, p, n)
	attacked := honest.visit(lasts)
	during := p.Usage(t)
	cancel()
	wait()
	after := settled(t, p, before)
	t.Logf("%d: p99 %v alone, %v under attack (%.1f times), of %d and %d requests", n,
		p99(alone), p99(attacked), float64(p99(attacked))/float64(p99(alone)), len(alone), len(attacked))
	t.Logf("before %v; under attack %v; afterwards %v", before, during, after)
	terminate(t, p)
}

// kept is the memory in bytes that may remain in use after an attack: less than [worthwhile], plus
// the stacks of additional threads.
const kept = 48 << 20

// affordable returns the number of connections that the test may open, up to n.
func affordable(t *testing.T, n int) int {
	t.Helper()
	const others = 500 // other open files of the test
	most := connections.Limit(n+others) - others
	if most < n {
		t.Logf("%d instead of %d, because of the limit of open files", most, n)
	}
	return most
}

// settled waits until the program has no more open files than before, and nearly as little memory.
func settled(t *testing.T, p *programtest.Process, before programtest.Usage) programtest.Usage {
	t.Helper()
	deadline := time.Now().Add(2 * programtest.Patience)
	for {
		now := p.Usage(t)
		if now.Descriptors <= before.Descriptors && now.Resident < before.Resident+kept {
			return now
		}
		if time.Now().After(deadline) {
			t.Fatalf("before it had %v, and has still %v", before, now)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// visitor is an ordinary client. It reuses a connection, and opens a new one for every tenth
// request.
type visitor struct {
	t         *testing.T
	url       string
	transport *http.Transport
}

// visit makes requests for the duration and returns how long each took. Each must succeed.
func (v visitor) visit(lasts time.Duration) []time.Duration {
	v.t.Helper()
	kept := v.transport.Clone()
	defer kept.CloseIdleConnections()
	var took []time.Duration
	for began := time.Now(); time.Since(began) < lasts; {
		transport := kept
		if len(took)%10 == 9 {
			transport = v.transport.Clone()
		}
		start := time.Now()
		status, err := get(v.t.Context(), transport, v.url+"/pets/7")
		if err != nil || status != http.StatusOK {
			v.t.Fatalf("request %d: %d, %v", len(took)+1, status, err)
		}
		took = append(took, time.Since(start))
		if transport != kept {
			transport.CloseIdleConnections()
		}
		time.Sleep(2 * time.Millisecond) // ordinary clients do not flood
	}
	return took
}

func get(ctx context.Context, transport *http.Transport, url string) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, programtest.Patience)
	defer cancel()
	answer, err := programtest.Do(ctx, transport, http.MethodGet, url, nil)
	return answer.Status, err
}

func p99(took []time.Duration) time.Duration {
	took = slices.Sorted(slices.Values(took))
	return took[len(took)*99/100]
}

// slowhttptest attacks with the tool slowhttptest, in the given mode.
func slowhttptest(mode ...string) func(context.Context, *testing.T, *programtest.Process, int) func() {
	return func(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
		t.Helper()
		programtest.RequireTool(t, "slowhttptest")
		args := append([]string{"-c", fmt.Sprint(n), "-r", fmt.Sprint(n), "-l", "240", "-u",
			p.URL + "/pets?limit=1000"}, mode...)
		cmd := exec.CommandContext(ctx, "slowhttptest", args...)
		must.Succeed(t, cmd.Start())
		if mode[0] != "-R" { // requests of mode -R are answered at once
			awaitDescriptors(t, p, min(n, 4096)/2)
		}
		return func() { _ = cmd.Wait() }
	}
}

// awaitDescriptors waits until the program has n open file descriptors.
func awaitDescriptors(t *testing.T, p *programtest.Process, n int) {
	t.Helper()
	for deadline := time.Now().Add(programtest.Patience); p.Usage(t).Descriptors < n; {
		if time.Now().After(deadline) {
			t.Fatalf("the attack does not come about: %v, want %d descriptors", p.Usage(t), n)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// each runs the function n times concurrently, and returns a function that waits for all calls.
func each(n int, run func(i int)) (wait func()) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { run(i) })
	}
	return all.Wait
}

// attacks are the attacks of slow clients.
var attacks = []attack{
	{name: "slow headers", small: 100, full: 4000, begin: slowhttptest("-H", "-i", "5")},
	{name: "slow bodies", small: 100, full: 4000,
		begin: slowhttptest("-B", "-i", "5", "-s", "8192", "-t", "POST", "-f", "application/json")},
	{name: "ranges", small: 100, full: 4000, begin: slowhttptest("-R", "-a", "10", "-b", "3000")},
	{name: "slow reading", small: 100, full: 4000,
		begin: slowhttptest("-X", "-w", "512", "-y", "1024", "-n", "5", "-z", "32", "-k", "3")},
	{name: "idle connections", small: 200, full: 10_000, begin: idleConnections},
	{name: "more idle connections than allowed", small: 400, full: 10_000, args: []string{"--max-connections", "300"},
		begin: idleConnections},
	{name: "event readers", small: 60, full: 2000, begin: eventReaders},
	{name: "never reading", small: 50, full: 200, begin: neverReading},
	{name: "closed windows of HTTP/2", small: 40, full: 1000, tls: true, begin: closedWindows},
}

// openAll opens n connections, sends the text on each, and closes them when the attack ends. It
// does not reopen connections that the server closes. If answered is set, it waits for the first
// byte of each response.
func openAll(ctx context.Context, t *testing.T, p *programtest.Process, n int, text string,
	answered bool) (wait func()) {
	t.Helper()
	var mu sync.Mutex
	var all []net.Conn
	opened := each(n, func(int) {
		dialer := net.Dialer{Timeout: programtest.Patience}
		c, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(p.URL, "http://"))
		if err != nil {
			return // the server is full
		}
		_ = c.(*net.TCPConn).SetReadBuffer(4096)
		_, _ = io.WriteString(c, text)
		if answered { // or the connection is closed
			_, _ = c.Read(make([]byte, 1))
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, c)
	})
	opened()
	return func() {
		for _, c := range all {
			c.Close()
		}
	}
}

// idleConnections opens connections that become idle after one response.
func idleConnections(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	return openAll(ctx, t, p, n, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", true)
}

// eventReaders opens event streams without events.
func eventReaders(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	wait := openAll(ctx, t, p, n, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n", true)
	awaitDescriptors(t, p, n)
	return wait
}

// neverReading requests more than the connection's buffers hold, and does not read.
func neverReading(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	return openAll(ctx, t, p, n, strings.Repeat("GET /pets?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n", 20), false)
}

// closedWindows opens HTTP/2 streams, a hundred on each connection, and does not read the
// responses.
func closedWindows(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	t.Helper()
	const perConnection = 100
	transports := make([]*http.Transport, (n+perConnection-1)/perConnection)
	connections := make([]net.Conn, len(transports))
	for i := range transports {
		transports[i] = trusting(nil)
		transports[i].HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 4 << 10}
		transports[i].DialContext = func(ctx context.Context, network, address string) (c net.Conn, err error) {
			connections[i], err = new(net.Dialer).DialContext(ctx, network, address)
			return connections[i], err
		}
	}
	for i := range n { // sequentially, so that each transport opens one connection
		r := must.Get(http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/pets?limit=1000", nil))(t)
		response := must.Get(transports[i/perConnection].RoundTrip(r))(t)
		t.Cleanup(func() { response.Body.Close() })
	}
	return func() {
		for _, c := range connections {
			c.Close()
		}
	}
}

// trusting returns an HTTP/2 transport that trusts the pool. A nil pool trusts every certificate.
func trusting(pool *x509.CertPool) *http.Transport {
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, InsecureSkipVerify: pool == nil},
		ForceAttemptHTTP2: true}
}
