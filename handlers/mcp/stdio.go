package mcp

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
)

// lastAnswer is the time that the server waits for the last response after standard input has
// ended.
const lastAnswer = 10 * time.Second

// ServeLines reads one message from each line of in and writes responses to out. Messages have the
// rights of the admin key. ServeLines returns when in ends, when out fails, or when ctx is done. A
// goroutine may then still be blocked reading from in. address is the service's base URL, such as
// http://127.0.0.1:8080.
func (s *Server) ServeLines(ctx context.Context, in io.Reader, out io.Writer, address, adminKey string) error {
	like, err := http.NewRequest(http.MethodPost, address, nil)
	if err != nil {
		return err
	}
	like.RemoteAddr = "127.0.0.1:0" // a client on this machine
	like.Header.Set("User-Agent", "petstore --mcp")
	if adminKey != "" {
		like.Header.Set("Authorization", "Bearer "+adminKey)
	}
	serving, end := context.WithCancelCause(ctx)
	defer end(nil)
	c := &lines{in: bufio.NewReader(in), out: out, end: end, running: ended(), next: ended()}
	who := &caller{
		like: like, root: address, place: fmt.Sprintf("The service is at %s.", address),
		check: c.check, hold: func() error { return nil },
	}
	c.respond = func(ctx context.Context, m *message) *response { return s.respond(ctx, who, m) }
	go c.read(serving)
	<-serving.Done()
	if cause := context.Cause(serving); cause != io.EOF && ctx.Err() == nil {
		return cause
	}
	return nil
}

// lines serves a client that sends one message in each line. An invalid or overlong line gets an
// error response. Calls are served one at a time, in order. While one call runs, for at most one
// minute, only one more call is read.
type lines struct {
	in      *bufio.Reader
	out     io.Writer
	respond func(context.Context, *message) *response
	end     context.CancelCauseFunc

	running, next turn // the turns of the last two calls
	begun         bool // the client has initialized the connection or sent a stateless call
}

// turn is the place of one call in the order of calls.
type turn struct {
	id     string
	cancel func()
	done   chan struct{} // closed when the response has been written
}

func ended() turn {
	done := make(chan struct{})
	close(done)
	return turn{cancel: func() {}, done: done}
}

// read reads messages until EOF and then waits for the last response.
func (c *lines) read(ctx context.Context) {
	for ctx.Err() == nil {
		line, long, err := c.readLine()
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			c.take(ctx, line, long)
		}
		if err != nil {
			select {
			case <-c.next.done:
			case <-time.After(lastAnswer):
			}
			c.end(io.EOF)
		}
	}
}

// readLine returns the next line. If the line is longer than [MaxMessage], readLine skips it and
// long is true.
func (c *lines) readLine() (line []byte, long bool, err error) {
	for {
		part, err := c.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxMessage; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, long, err
		}
	}
}

// take processes a line. If the line is a call, the call waits until the previous call has a
// response.
func (c *lines) take(ctx context.Context, line []byte, long bool) {
	m, wrong := parseLine(line)
	switch why := m.misuse(); {
	case long:
		wrong = fail(invalidRequest, "the line is longer than %d bytes", MaxMessage)
	case wrong != nil:
	case m.id == nil:
		c.notice(m)
		return
	case why != "":
		wrong = fail(invalidRequest, "%s", why)
	}
	select {
	case <-c.running.done:
	case <-ctx.Done():
		return
	}
	calling, cancel := context.WithCancel(ctx)
	before, own := c.next, turn{string(m.id), cancel, make(chan struct{})}
	c.running, c.next = before, own
	go func() {
		defer close(own.done)
		defer cancel()
		<-before.done
		r := &response{Version: "2.0", ID: m.id, Error: wrong}
		if wrong == nil {
			r = c.respond(calling, m)
		}
		if err := c.write(r); err != nil {
			c.end(err)
		}
	}()
}

// notice processes a notification. Only a notification that cancels a call has an effect.
func (c *lines) notice(m *message) {
	p, _ := m.readParams()
	for _, call := range []turn{c.running, c.next} {
		if m.method == "notifications/cancelled" && string(p.RequestID) == call.id {
			call.cancel()
		}
	}
}

// check requires that the first call is initialize and that no later call is. Stateless calls need
// no initialize.
func (c *lines) check(m *message, p *params) *failure {
	first := m.method == "initialize"
	switch {
	case p.stateless(), first && !c.begun:
		c.begun = true
	case m.method != "ping" && first == c.begun:
		return fail(invalidRequest, "initialize must be the first call, and come once")
	}
	return nil
}

func (c *lines) write(r *response) error {
	text, err := rest.Encode(r)
	if err == nil {
		_, err = c.out.Write(append(text, '\n'))
	}
	return err
}
