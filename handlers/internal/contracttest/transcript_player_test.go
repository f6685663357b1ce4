package contracttest_test

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

// player makes the requests of a transcript, in a bubble: delays take no real time, and the times
// in responses are the same in every run.
type player struct {
	server *petstoretest.Server
}

// start starts the server of a command line, and replaces the previous server. Of the flags, those
// for a Config, --fixtures and the sizes have an effect.
func (p *player) start(t *testing.T, command string) {
	t.Helper()
	args, ok := strings.CutPrefix(command, "petstore")
	if !ok {
		t.Fatalf("%q does not start a petstore", command)
	}
	if p.server != nil {
		p.server.Close()
	}
	begun := time.Now()
	var program config.Program
	flags := pflag.NewFlagSet("petstore", pflag.ContinueOnError)
	for _, s := range program.All() {
		if flag := flags.VarPF(s.Value, s.Name, "", ""); s.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
	must.Succeed(t, flags.Parse(strings.Fields(args)))
	program.SetDefaults(flags.Changed)
	c := program.Config
	c.Now = func() time.Time { return contracttest.Now.Add(time.Since(begun)) }
	extras.Add(&c)
	data := petstoretest.WithSizes(program.Fakes)
	if program.Fixtures != "" {
		data = petstoretest.WithFixtures(program.Fixtures)
	}
	config := petstoretest.WithConfig(func(to *handlers.Config) {
		c.Log = to.Log
		*to = c
	})
	p.server = petstoretest.Run(t, petstoretest.WithoutNetwork(), config, data)
}

// exchange sends the request and returns the lines of its answer. A refused request must not change
// a sandbox.
func (p *player) exchange(t *testing.T, request []string) []string {
	t.Helper()
	if p.server == nil {
		t.Fatalf("%s: a transcript begins with a line such as $ petstore", request[0])
	}
	connection, err := p.server.Client.Transport.(*http.Transport).DialContext(t.Context(), "tcp", "petstore.test:80")
	if err != nil {
		t.Fatal(err)
	}
	world := contracttest.World{Server: p.server.Handler().(*handlers.Server)}
	before := world.Everything(t)
	message := requestMessage(request)
	go func() { _, _ = io.WriteString(connection, message) }() // the response may come before the whole request is sent
	lines := readAnswer(connection, request[0])
	connection.Close()
	synctest.Wait() // until the server has finished the request
	if after := world.Everything(t); strings.HasPrefix(lines[0], "HTTP/1.1 4") {
		for name, was := range before {
			if after[name] != was {
				t.Errorf("%s is refused and changes sandbox %s to\n%s\nfrom\n%s", request[0], name, after[name], was)
			}
		}
	}
	return lines
}

// requestMessage returns the request as sent on the connection.
func requestMessage(lines []string) string {
	head, body := lines, ""
	if end := slices.Index(lines, ""); end >= 0 {
		head, body = lines[:end], strings.Join(lines[end+1:], "\n")
	}
	header := func(name, value string) {
		has := func(line string) bool { return strings.HasPrefix(strings.ToLower(line), strings.ToLower(name)+":") }
		if !slices.ContainsFunc(head, has) {
			head = append(slices.Clip(head), name+": "+value)
		}
	}
	header("Host", "petstore.test")
	header("X-Request-Id", "r1")
	if body != "" {
		header("Content-Type", "application/json")
		header("Content-Length", fmt.Sprint(len(body)))
	}
	head = append([]string{head[0] + " HTTP/1.1"}, head[1:]...)
	return strings.Join(head, "\r\n") + "\r\n\r\n" + body
}

// A transcript omits the documents and the pages, which change with their texts, and the memory in
// use and random secrets, which are never the same.
var (
	ofDocument = regexp.MustCompile(`^(GET|HEAD) (/sandboxes/[^/ ]+)?(/admin)?/openapi\.(json|yaml)`)
	ofSummary  = regexp.MustCompile(`^HEAD (/sandboxes/[^/ ]+)?/admin(\?|$)`)
	usedMemory = regexp.MustCompile(`(memory\\?":\{\\?"used\\?":)\d+(,\\?"allowed\\?":)\d+(,\\?"sandboxUsed\\?":)\d+`)
	randomKey  = regexp.MustCompile(`("key":"|"secret":"whsec_)[A-Za-z0-9+/=]{20,}"`)
)

// readAnswer returns the lines of the response to the request. A compressed body is shown
// uncompressed. A body that is longer than 16 KiB or not text is shown as its checksum. A note
// marks the end of an aborted body. A stream is read until it sends nothing more.
func readAnswer(connection net.Conn, request string) []string {
	method, _, _ := strings.Cut(request, " ")
	response, err := http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: method})
	if err != nil {
		return []string{"(no answer: " + err.Error() + ")"}
	}
	body, end := readBody(connection, response)
	switch ok := response.StatusCode == http.StatusOK; {
	case ok && ofDocument.MatchString(request):
		response.Header.Del("Content-Length")
		if len(body) > 0 {
			body = []byte("(the document)")
		}
	case ok && strings.HasPrefix(response.Header.Get("Content-Type"), "text/html"):
		response.Header.Del("Content-Length")
		response.Header.Del("Etag")
		body = []byte("(the page)")
	case ok && (ofSummary.MatchString(request) || usedMemory.Match(body)):
		response.Header.Del("Content-Length")
		body = usedMemory.ReplaceAll(body, []byte("$1…$2…$3…"))
	}
	body = randomKey.ReplaceAll(body, []byte(`$1…"`))
	lines := []string{response.Proto + " " + response.Status}
	for _, name := range slices.Sorted(maps.Keys(response.Header)) {
		for _, value := range response.Header[name] {
			if name != "Date" {
				lines = append(lines, name+": "+value)
			}
		}
	}
	if isText := utf8.Valid(body); !isText || len(body) > 16<<10 {
		body = fmt.Appendf(nil, "(%d bytes, SHA-256 %x)", len(body), sha256.Sum256(body))
	}
	if len(body) > 0 {
		lines = append(lines, "")
		lines = append(lines, strings.Split(string(body), "\n")...)
	}
	if end != nil {
		lines = append(lines, "(breaks off: "+end.Error()+")")
	}
	return lines
}

func readBody(connection net.Conn, response *http.Response) ([]byte, error) {
	if !contracttest.IsStream(response.Header) {
		body, end := io.ReadAll(response.Body)
		plain, err := contracttest.Uncompressed(response.Header, body)
		return plain, cmp.Or(end, err)
	}
	read := make(chan []byte)
	go func() {
		body, _ := io.ReadAll(response.Body)
		read <- body
	}()
	synctest.Wait()
	connection.Close() // ends ReadAll
	return <-read, nil
}
