package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastAnswer is how long writing a response may take after standard input has ended.
const lastAnswer = 10 * time.Second

// ServeLines serves messages that arrive line by line, with the rights of the admin key, until in,
// the client or ctx ends. address is the service's base URL, such as http://127.0.0.1:8080. One
// goroutine goes on reading until in has more or ends.
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
	who := &caller{like: like, root: address, hold: func() error { return nil }}
	c := &lines{
		in: bufio.NewReader(in), out: out, came: make(chan jsonrpc.Message), closed: make(chan struct{}), answering: make(chan struct{}, 1),
	}
	defer c.Close()
	session, err := s.protocol(fmt.Sprintf(" The service is at %s.", address)).Connect(context.WithValue(ctx, callerKey{}, who), c, nil)
	if err != nil {
		return err
	}
	go c.read()
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// lines is a connection with one message per line. A line that is not a message, or too long, gets
// an error, and the next one is read. Calls are served one at a time, in order: a call waits at
// most one minute, and no call is read while the response to another one has not been written.
type lines struct {
	in        *bufio.Reader // read by one goroutine
	came      chan jsonrpc.Message
	closed    chan struct{}
	once      sync.Once
	answering chan struct{} // has an element while a call is running

	writing sync.Mutex
	out     io.Writer // guarded by writing
}

// Connect returns c, which is both the transport and its connection.
func (c *lines) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID returns "", because there is only one client.
func (c *lines) SessionID() string { return "" }

// Close ends the connection. It closes neither in nor out.
func (c *lines) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next message, or io.EOF after the last one has been answered.
func (c *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-c.came:
		if !ok {
			return nil, io.EOF
		}
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write writes a message as a line.
func (c *lines) Write(_ context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok {
		r.Error = plain(r.Error)
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	err = c.writeLine(text)
	if _, ok := m.(*jsonrpc.Response); ok {
		<-c.answering
	}
	return err
}

func (c *lines) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// read reads until the end and then waits for the last response.
func (c *lines) read() {
	defer close(c.came)
	for {
		line, long, err := c.readLine()
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			if !c.take(line, long) {
				return
			}
		}
		if err != nil {
			c.awaitAnswer(lastAnswer)
			return
		}
	}
}

// readLine returns the next line. If it is longer than [MaxMessage], it returns long instead.
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

// take passes a line on, or responds with its error. It reports whether the connection continues.
func (c *lines) take(line []byte, long bool) bool {
	if long {
		return c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is longer than %d bytes", MaxMessage))
	}
	if !json.Valid(line) { // also for two messages on a line
		return c.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON; write each message on a line of its own")
	}
	id, wrong := readEnvelope(line)
	if wrong != nil {
		return c.refuse(id, wrong.Code, wrong.Message)
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return c.refuse(nil, jsonrpc.CodeInvalidRequest, "the line is not one message of JSON-RPC 2.0")
	}
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() && !c.awaitAnswer(math.MaxInt64) {
		return false
	}
	select {
	case c.came <- m:
		return true
	case <-c.closed:
		return false
	}
}

// refuse responds to an invalid line with its id, or nil if that is unknown.
func (c *lines) refuse(id jsontext.Value, code int64, message string) bool {
	if id == nil {
		id = jsontext.Value("null") // JSON-RPC 2.0, section 5
	}
	text, err := refusal(id, code, message)
	return err == nil && c.writeLine(text) == nil
}

// awaitAnswer waits until the previous call is answered, and reports whether the connection
// continues.
func (c *lines) awaitAnswer(most time.Duration) bool {
	timeout := time.NewTimer(most)
	defer timeout.Stop()
	select {
	case c.answering <- struct{}{}:
		return true
	case <-timeout.C:
		return false
	case <-c.closed:
		return false
	}
}
