package handlers_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// TestRefusedBodies sends all of a body, of more than the sockets hold, before it reads
// the answer, as many clients do: the refusal must reach it.
func TestRefusedBodies(t *testing.T) {
	t.Parallel()
	keyed := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	open := newWorld(t)
	const mib = 1 << 20
	for _, test := range []struct {
		name, request string
		world         *world
		length        int
		chunked       bool
		want          string
	}{
		{"too large by its length", "POST /pets", open, 16 * mib, false, "payload_too_large"},
		{"too large when it comes", "POST /pets", open, 16 * mib, true, "payload_too_large"},
		{"an import that is too large", "PUT /admin/state", open, 65 * mib, true, "payload_too_large"},
		{"an import without a key", "PUT /admin/state", keyed, 16 * mib, false, "unauthorized"},
		{"where there is nothing", "POST /nowhere", open, 16 * mib, false, "not_found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			connection := test.world.Dial(t)
			framing := fmt.Sprint("Content-Length: ", test.length)
			if test.chunked {
				framing = "Transfer-Encoding: chunked"
			}
			contracttest.Send(t, connection, test.request+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+framing+"\r\n\r\n")
			piece := strings.Repeat(" ", mib)
			if test.chunked {
				piece = fmt.Sprintf("%x\r\n%s\r\n", mib, piece)
			}
			buffer := []byte(piece)
			for range test.length / mib {
				if _, err := connection.Write(buffer); err != nil {
					t.Fatal(err)
				}
			}
			if test.chunked {
				contracttest.Send(t, connection, "0\r\n\r\n")
			}
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			if err != nil {
				t.Fatal(err)
			}
			var told rest.Error
			if err := json.NewDecoder(response.Body).Decode(&told); err != nil {
				t.Fatal(err)
			}
			if told.Code != test.want || response.StatusCode != told.Status {
				t.Errorf("%s: %+v, want %s", response.Status, told, test.want)
			}
		})
	}
}

// TestRefusedBodiesAreBounded sends a body without an end: the answer has been there all
// the time, and the connection is closed.
func TestRefusedBodiesAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	connection := w.Dial(t)
	contracttest.Send(t, connection, "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
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
		t.Errorf("%d MiB of a body that nobody wants were taken", sent)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}
