package mcp

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/petstore/handlers/rest"
)

// lastAnswer is the maximum time that the server waits for the last responses after standard input
// has ended.
const lastAnswer = 10 * time.Second

// ServeLines reads one message from each line of in and writes responses to out. Tools send
// adminKey, unless it is empty. ServeLines returns at the end of in, after a failed write to out,
// or when ctx is done. A goroutine may then still be blocked reading from in. address is the
// service's base URL, such as http://127.0.0.1:8080.
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
	c := &lines{
		server: s, in: bufio.NewReader(in), out: out, end: end,
		room: make(chan struct{}, maxCalls), last: make(chan struct{}), calls: make(map[*call]bool),
	}
	close(c.last)
	c.who = caller{
		like: like, root: address, place: fmt.Sprintf("The service is at %s.", address),
		hold: func() error { return nil },
	}
	go c.read(serving)
	<-serving.Done()
	if cause := context.Cause(serving); cause != io.EOF && ctx.Err() == nil {
		return cause
	}
	return nil
}

// maxCalls is the maximum number of calls in progress. A further call waits until one of them has
// its response.
const maxCalls = 8

// lines serves a client that sends one message in each line. An invalid or overlong line gets an
// error response. Calls are served one at a time, in order, except that a call of a tool that waits
// holds up no later call.
type lines struct {
	server *Server
	who    caller
	in     *bufio.Reader
	end    context.CancelCauseFunc

	room chan struct{} // holds a value for each call without a response
	last chan struct{} // closed when the latest call that does not wait has its response

	mu    sync.Mutex
	out   io.Writer      // guarded by mu
	calls map[*call]bool // guarded by mu; the calls that have no response and were not cancelled
}

// call is a call whose response has not been written.
type call struct {
	id     string
	cancel func()
}

// read reads messages until EOF and then waits for the last responses.
func (c *lines) read(ctx context.Context) {
	for ctx.Err() == nil {
		line, long, err := c.readLine()
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			c.take(ctx, line, long)
		}
		if err != nil {
			late := time.After(lastAnswer)
			for range maxCalls {
				select {
				case c.room <- struct{}{}:
				case <-late:
					c.end(io.EOF)
					return
				}
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

// take processes a line. If the line is a call, the call starts when the previous calls, except
// those of tools that wait, have their responses.
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
	case c.room <- struct{}{}:
	case <-ctx.Done():
		return
	}
	calling, cancel := context.WithCancel(ctx)
	own := &call{string(m.id), cancel}
	c.mu.Lock()
	c.calls[own] = true
	c.mu.Unlock()
	before, done := c.last, make(chan struct{})
	if wrong != nil || !m.waits() {
		c.last = done
	}
	go func() {
		defer func() { <-c.room }()
		defer close(done)
		defer cancel()
		<-before
		r := &response{Version: "2.0", ID: m.id, Error: wrong}
		if wrong == nil {
			r = c.server.respond(calling, &c.who, m)
		}
		if err := c.write(own, r); err != nil {
			c.end(err)
		}
	}()
}

// notice processes a notification. A notification that cancels a call is the only one with an
// effect. The call then gets no response.
func (c *lines) notice(m *message) {
	p, _ := m.readParams()
	if m.method != "notifications/cancelled" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for call := range c.calls {
		if call.id == string(p.RequestID) {
			call.cancel()
			delete(c.calls, call)
		}
	}
}

// write writes the response to a call, unless the call was cancelled.
func (c *lines) write(own *call, r *response) error {
	text, err := rest.Encode(r)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.calls[own] {
		return nil
	}
	delete(c.calls, own)
	_, err = c.out.Write(append(text, '\n'))
	return err
}
