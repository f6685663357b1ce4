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
// adminKey, unless it is empty. address is the service's base URL, such as http://127.0.0.1:8080.
// ServeLines returns nil when ctx is done. When in ends or fails, it returns nil after the last
// responses have been written, or after [lastAnswer]. It returns an error if address is invalid or
// a write to out fails. A goroutine may still be blocked reading from in afterwards.
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
		room: make(chan struct{}, maxWaiting), cancel: make(map[string]context.CancelFunc),
	}
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

// maxWaiting is the maximum number of calls that wait at the same time. Another such call, and all
// later lines, are served only after one of these calls has ended.
const maxWaiting = 8

// lines serves a client that sends one message per line. An invalid or overlong line gets an error
// response. Calls are served one at a time, in order. Only a call that may wait runs in the
// background, so that later calls need not wait for it; see [maxWaiting].
type lines struct {
	server *Server
	who    caller
	in     *bufio.Reader
	end    context.CancelCauseFunc

	waiting sync.WaitGroup
	room    chan struct{} // holds a value for each call that waits

	mu     sync.Mutex
	out    io.Writer                     // guarded by mu
	cancel map[string]context.CancelFunc // guarded by mu; by id of the waiting call
}

// read serves lines until in ends or fails, or ctx is done. After the end of in, it waits for the
// last responses, for at most lastAnswer.
func (c *lines) read(ctx context.Context) {
	for ctx.Err() == nil {
		line, long, err := c.readLine()
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			c.take(ctx, line, long)
		}
		if err != nil {
			defer time.AfterFunc(lastAnswer, func() { c.end(io.EOF) }).Stop()
			c.waiting.Wait()
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

// take serves a line. If the line calls a tool that may wait, take returns before the response.
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
	switch {
	case wrong != nil:
		c.write(ctx, &response{Version: "2.0", ID: m.id, Error: wrong})
	case m.waits():
		c.room <- struct{}{}
		waiting, cancel := context.WithCancel(ctx)
		c.mu.Lock()
		c.cancel[string(m.id)] = cancel
		c.mu.Unlock()
		c.waiting.Go(func() {
			c.write(waiting, c.server.respond(waiting, &c.who, m))
			cancel()
			c.mu.Lock()
			delete(c.cancel, string(m.id))
			c.mu.Unlock()
			<-c.room
		})
	default:
		c.write(ctx, c.server.respond(ctx, &c.who, m))
	}
}

// notice processes a notification. It ignores every notification except notifications/cancelled for
// a waiting call. The cancelled call gets no response.
func (c *lines) notice(m *message) {
	p, _ := m.readParams()
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.cancel[string(p.RequestID)]; m.method == "notifications/cancelled" && cancel != nil {
		cancel()
	}
}

// write writes the response to a call, unless the call was cancelled. If writing fails, ServeLines
// returns the error.
func (c *lines) write(call context.Context, r *response) {
	text, err := rest.Encode(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && call.Err() == nil {
		_, err = c.out.Write(append(text, '\n'))
	}
	if err != nil {
		c.end(err)
	}
}
