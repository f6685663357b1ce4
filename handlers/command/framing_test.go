package command

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// exchangeRaw sends the text on a new connection, and returns the first response, its body and any
// data after it.
func exchangeRaw(t *testing.T, p *inProcess, text string) (response *http.Response, body, after string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(programtest.Patience))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(c)
	if response, err = http.ReadResponse(reader, nil); err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	more, err := io.ReadAll(reader)
	if err != nil {
		t.Fatalf("after the response: %v", err)
	}
	return response, string(content), string(more)
}

// TestBothLengths sends a request with Content-Length and Transfer-Encoding, followed by another
// request. A server must respond to the first one and then close the connection (RFC 9112, 6.1).
func TestBothLengths(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0")
	response, body, after := exchangeRaw(t, p, "POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"+
		"1d\r\n{\"name\":\"Rex\",\"categoryId\":1}\r\n0\r\n\r\n"+
		"GET /pets/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if response.StatusCode != http.StatusCreated || !response.Close {
		t.Errorf("%s, closes: %t, %s; want 201 and Connection: close", response.Status, response.Close, body)
	}
	if after != "" {
		t.Errorf("the connection goes on with %q", after)
	}
}

// TestLinesOfOneHeader sends the maximum number of lines of one header, and one more.
func TestLinesOfOneHeader(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0")
	for lines, want := range map[int]int{100: http.StatusOK, 101: http.StatusRequestHeaderFieldsTooLarge} {
		response, body, _ := exchangeRaw(t, p, "GET /pets/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"+strings.Repeat("X-Line: 1\r\n", lines)+"\r\n")
		if response.StatusCode != want {
			t.Errorf("%d lines: %s %s, want %d", lines, response.Status, body, want)
		}
		if want != http.StatusOK && !strings.Contains(body, `"too_many_header_lines"`) {
			t.Errorf("%d lines: %s", lines, body)
		}
	}
}
