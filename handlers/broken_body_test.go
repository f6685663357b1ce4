package handlers_test

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// TestBrokenBody breaks the framing of a body, which the client refuses to send, or
// ends its half of the connection too early.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
		contracttest.Send(t, connection, "POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"+
			test.framing+"\r\n\r\n"+test.body)
		if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Fatal(err)
		}
		var told rest.Error
		if err := json.NewDecoder(answer.Body).Decode(&told); err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != 400 || told.Code != "invalid_json" || !strings.HasPrefix(told.Message, test.want) {
			t.Errorf("%s, %q: %d %+v, want %q", test.framing, test.body, answer.StatusCode, told, test.want)
		}
	}
	if w.State(t) != before {
		t.Error("it changed the state")
	}
}
