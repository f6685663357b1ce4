package command

import (
	"crypto/tls"
	"io"
	"testing"
	"time"
)

// HTTP/2 frames sent by a client (RFC 9113, 6), with header fields encoded as in RFC 7541.
const (
	settingsFrame    = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	unfinishedHeader = "\x00\x00\x01\x01\x00\x00\x00\x00\x03\x82" // HEADERS without END_HEADERS, on stream 3
	moreOfTheHeader  = "\x00\x00\x01\x09\x00\x00\x00\x00\x03\x87" // CONTINUATION without END_HEADERS
	restOfTheHeader  = "\x00\x00\x0d\x09\x04\x00\x00\x00\x03\x84\x87" + "\x01\x09localhost"
	getPet           = "\x00\x00\x16\x01\x05\x00\x00\x00\x01\x82\x87" + "\x04\x07/pets/1" + "\x01\x09localhost"
	getEvents        = "\x00\x00\x16\x01\x05\x00\x00\x00\x01\x82\x87" + "\x04\x07/events" + "\x01\x09localhost"
	postWithABody    = "\x00\x00\x27\x01\x04\x00\x00\x00\x01\x83\x87" + "\x04\x05/pets" + "\x01\x09localhost" +
		"\x0f\x10\x10application/json"
	beginningOfABody  = "\x00\x10\x00\x00\x00\x00\x00\x00\x01{"
	beginningOfAFrame = "\x00\x00\x16\x01"
)

// TestHTTP2HeadersHaveTheirTime sends the beginning of a header on an HTTP/2 connection. The
// connection must end after the time for a header, even with other open streams. A connection
// without streams must end after the idle time.
func TestHTTP2HeadersHaveTheirTime(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		first  string
		every  time.Duration // interval between the texts
		next   []string
		closes time.Duration // time until the connection ends, or 0 if it must outlast three minutes
	}{
		{name: "half a frame", first: beginningOfAFrame, closes: readHeaderTimeout},
		{name: "a header without its end", first: unfinishedHeader, closes: readHeaderTimeout},
		{name: "beside an open stream", first: getEvents + unfinishedHeader, closes: readHeaderTimeout},
		{name: "a header that goes on", first: unfinishedHeader, every: 4 * time.Second, next: []string{moreOfTheHeader, moreOfTheHeader, moreOfTheHeader}, closes: readHeaderTimeout},
		{name: "a header that is finished", first: getEvents + unfinishedHeader, every: 9 * time.Second, next: []string{restOfTheHeader}},
		{name: "an open stream", first: getEvents},
		{name: "no next request", first: getPet, closes: idleTimeout},
		// The stream ends after the time for a body and leaves the connection idle.
		{name: "half a body", first: postWithABody + beginningOfABody, closes: 30*time.Second + idleTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, m *inMemory) {
				inner, err := m.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer inner.Close()
				c := tls.Client(inner, m.client)
				begun := time.Now()
				ended := make(chan time.Duration, 1)
				if err := c.HandshakeContext(t.Context()); err != nil {
					t.Fatal(err)
				}
				go func() {
					_, _ = io.Copy(io.Discard, c)
					ended <- time.Since(begun)
				}()
				_, _ = io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+settingsFrame+test.first)
				for _, text := range test.next {
					time.Sleep(test.every)
					_, _ = io.WriteString(c, text) // fails if the connection has ended
				}
				select {
				case after := <-ended:
					if test.closes == 0 || after < test.closes || after > test.closes+time.Second {
						t.Errorf("the connection ended after %v, want %v", after, test.closes)
					}
				case <-time.After(3 * time.Minute):
					if test.closes != 0 {
						t.Errorf("the connection has not ended within three minutes, want %v", test.closes)
					}
				}
			})
		})
	}
}
