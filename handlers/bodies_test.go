package handlers_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestJSONErrorsAreTheSameEverywhere sends the same mistakes to an operation, to an admin operation and to both
// imports, which must report them in the same words.
func TestJSONErrorsAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for body, want := range map[string]string{
		`{"name": "Größe", "name": 1}`:          `line 1, column 19: the name "name" appears twice in one object`,
		"{\"é\":\n \"ä\", \"é\": 1}":            `line 2, column 7: the name "é" appears twice in one object`,
		`{"naïve": }`:                           `line 1, column 11: invalid character '}' at start of value`,
		`{"name": "é`:                           `line 1, column 12: the text ends in the middle of a value`,
		`{"name": 1} {}`:                        `line 1, column 13: there is more text after the object; remove it`,
		`{"name": 1,}`:                          `line 1, column 12: there is a comma before the }; remove it`,
		"{\"tags\": [1, \n]}":                   `line 2, column 1: there is a comma before the ]; remove it`,
		`{"name": 1, x}`:                        `line 1, column 13: invalid character 'x' at start of string (expecting '"')`,
		"{,}":                                   `line 1, column 2: invalid character ',' at start of string (expecting '"')`,
		"{\"x\": 1, \"state\": {}, \"x\": 2}\n": `line 1, column 23: the name "x" appears twice in one object`,
		"x":                                     "line 1, column 1:",
		"{\n\t\"name\": \"\xff\"}":              "line 2, column 11:",
		"{}\r\n[]":                              "line 2, column 1:",
	} {
		for _, request := range []Request{
			Post("/pets", body),
			Put("/admin/clock", body),
			Put("/admin/state", body),
			Put("/admin/world", body),
		} {
			answer := w.Do(t, request)
			answer.Expect(t, 400, "invalid_json")
			if problem := answer.Problem(t); !strings.HasPrefix(problem.Message, want) {
				t.Errorf("%s %s, %s: %q, want %q", request.Method, request.Path, body, problem.Message, want)
			}
		}
	}
	if problem := w.Do(t, Post("/pets", "\n\n[]")).
		Problem(t); !strings.HasPrefix(problem.Message, "line 3, column 1:") {
		t.Errorf("a list is reported at %q", problem.Message)
	}
}

// TestBodiesMayBeginWithAByteOrderMark sends bodies as some editors save files. The journal keeps
// the byte order mark. A second mark is a syntax error.
func TestBodiesMayBeginWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	const mark = "\ufeff"
	w := NewWorld(t)
	world := string(w.Get(t, "/admin/world").Body)
	for _, r := range []Request{
		Post("/pets", NewPet),
		Patch("/pets/1", `{"name": "Rex"}`),
		Put("/admin/state", BaselineText),
		Put("/admin/world", world),
		Put("/admin/faults", "\n"+`[{"times": 1}]`),
		Post("/admin/reset", `{"seed": 2}`), // its body is optional
		Post("/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`),
	} {
		plain := r.Body
		r.Body = mark + plain
		w.Must(t, r)
		r.Body = mark + mark + plain
		w.Do(t, r).Expect(t, 400, "invalid_json")
		r.Body = mark
		w.Do(t, r).Expect(t, 400, "invalid_json")
	}
	w.Must(t, Delete("/admin/requests"))
	w.Must(t, Post("/pets", mark+NewPet))
	if got := JournalOf(t, w.Get(t, "/admin/requests")).Requests[0].Body; got != mark+NewPet {
		t.Errorf("the journal has %q, want %q", got, mark+NewPet)
	}
}

// TestBrokenBody sends a body with broken framing, which the client would refuse to send, or
// closes its half of the connection too early.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	before := w.State(t)
	const malformed, incomplete = "the chunked body is malformed", "the body is incomplete"
	for _, test := range []struct{ framing, body, want string }{
		{"Transfer-Encoding: chunked", "zz\r\n", malformed},
		{"Transfer-Encoding: chunked", "2\r\n{}}\r\n0\r\n\r\n", malformed},
		{"Transfer-Encoding: chunked", "11111111111111111\r\n{}", malformed},
		{"Transfer-Encoding: chunked", "2\r\n{}\r\n", incomplete + "; send every chunk and the empty one at the end"},
		{"Transfer-Encoding: chunked", "5\r\n{}", incomplete + "; send every chunk and the empty one at the end"},
		{"Content-Length: 5", "{}", incomplete + "; send as many bytes as Content-Length says"},
	} {
		connection := w.Dial(t)
		Send(t, connection,
			"POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"+
				test.framing+"\r\n\r\n"+test.body)
		must.Succeed(t, connection.(*net.TCPConn).CloseWrite())
		answer := ReadAnswer(t, connection)
		answer.Expect(t, 400, "invalid_json")
		if problem := answer.Problem(t); !strings.HasPrefix(problem.Message, test.want) {
			t.Errorf("%s, %q: %+v, want %q", test.framing, test.body, problem, test.want)
		}
	}
	if w.State(t) != before {
		t.Error("it changed the state")
	}
}

// TestRefusedBodies sends a body larger than the socket buffers before it reads the response, as
// many clients do. The refusal must reach the client.
func TestRefusedBodies(t *testing.T) {
	t.Parallel()
	keyed := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	open := NewWorld(t)
	const mib = 1 << 20
	for _, test := range []struct {
		name, request string
		world         *World
		length        int
		chunked       bool
		want          string
	}{
		{"too large by its length", "POST /pets", open, 16 * mib, false, "payload_too_large"},
		{"too large when it comes", "POST /pets", open, 16 * mib, true, "payload_too_large"},
		{"a too large import", "PUT /admin/state", open, 65 * mib, true, "payload_too_large"},
		{"an import without a key", "PUT /admin/state", keyed, 16 * mib, false, "unauthorized"},
		{"unknown path", "POST /nowhere", open, 16 * mib, false, "not_found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			connection := test.world.Dial(t)
			framing := fmt.Sprint("Content-Length: ", test.length)
			if test.chunked {
				framing = "Transfer-Encoding: chunked"
			}
			Send(t, connection,
				test.request+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+framing+"\r\n\r\n")
			piece := strings.Repeat(" ", mib)
			if test.chunked {
				piece = fmt.Sprintf("%x\r\n%s\r\n", mib, piece)
			}
			buffer := []byte(piece)
			for range test.length / mib {
				must.Get(connection.Write(buffer))(t)
			}
			if test.chunked {
				Send(t, connection, "0\r\n\r\n")
			}
			response := ReadAnswer(t, connection)
			if problem := response.Problem(t); problem.Code != test.want || response.Status != problem.Status {
				t.Errorf("%d: %+v, want %s", response.Status, problem, test.want)
			}
		})
	}
}

// TestRefusedBodiesAreBounded sends an endless body. The server responds at once and closes the
// connection.
func TestRefusedBodiesAreBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	connection := w.Dial(t)
	Send(t, connection, "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
	answered := make(chan error, 1)
	go func() {
		_, err := http.ReadResponse(bufio.NewReader(connection), nil)
		answered <- err
	}()
	const mib = 1 << 20
	chunk := fmt.Sprintf("%x\r\n%s\r\n", mib, strings.Repeat(" ", mib))
	sent := 0
	for ; sent < 1000; sent++ {
		if _, err := io.WriteString(connection, chunk); err != nil {
			break
		}
	}
	if sent == 1000 {
		t.Errorf("%d MiB of a refused body were read", sent)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// TestBothLengths sends a request with Content-Length and Transfer-Encoding, followed by another
// request. A server must respond to the first one and then close the connection (RFC 9112, 6.1).
func TestBothLengths(t *testing.T) {
	t.Parallel()
	connection := NewWorld(t).Dial(t)
	Send(t, connection, "POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"+
		"1d\r\n{\"name\":\"Rex\",\"categoryId\":1}\r\n0\r\n\r\n"+
		"GET /pets/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
	reader := bufio.NewReader(connection)
	ReadAnswer(t, reader).Expect(t, 201, "")
	if after, err := io.ReadAll(reader); err != nil || len(after) > 0 {
		t.Errorf("the connection goes on with %q, %v", after, err)
	}
}
