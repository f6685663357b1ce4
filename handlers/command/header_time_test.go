package command

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"
)

// TestTimeOfConnections checks that the server closes connections without a complete header in
// time, and idle connections.
func TestTimeOfConnections(t *testing.T) {
	t.Parallel()
	const whole = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, test := range map[string]struct {
		send string
		has  time.Duration
	}{
		"nothing sent":    {"", readHeaderTimeout},
		"half a header":   {"GET /pets HTTP/1.1\r\nHost: loc", readHeaderTimeout},
		"no next request": {whole, idleTimeout},
		"half a next one": {whole + "GET /pets HTTP/1.1\r\n", readHeaderTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, m *inMemory) {
				c, err := m.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				config := m.client.Clone()
				config.NextProtos = []string{"http/1.1"}
				secured := tls.Client(c, config)
				if _, err := io.WriteString(secured, test.send); err != nil {
					t.Fatal(err)
				}
				in := bufio.NewReader(secured)
				if test.send != "" && test.has == idleTimeout || len(test.send) > len(whole) {
					response, err := http.ReadResponse(in, nil)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := io.Copy(io.Discard, response.Body); err != nil {
						t.Fatal(err)
					}
				}
				began := time.Now()
				_, err = in.ReadByte()
				if took := time.Since(began); !errors.Is(err, io.EOF) || took < test.has-time.Second || took > test.has+time.Second {
					t.Errorf("the connection ends after %v with %v, want %v", took, err, test.has)
				}
			})
		})
	}
}
