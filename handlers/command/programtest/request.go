package programtest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// Answer is a response with its body.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Get sends a GET request over a new connection. headers is a list of name, value pairs.
func Get(t testing.TB, url string, headers ...string) Answer {
	t.Helper()
	return must.Get(
		Request(t.Context(), http.DefaultTransport.(*http.Transport), http.MethodGet, url, nil, headers...))(t)
}

// GetJSON is like [Get], but decodes the JSON body.
func GetJSON[T any](t testing.TB, url string, headers ...string) (value T) {
	t.Helper()
	must.Succeed(t, json.Unmarshal([]byte(Get(t, url, headers...).Body), &value))
	return value
}

// Send is like [Get], but sends any method and a JSON body.
func Send(t testing.TB, method, url string, body io.Reader, headers ...string) Answer {
	t.Helper()
	headers = append([]string{"Content-Type", "application/json"}, headers...)
	return must.Get(Request(t.Context(), http.DefaultTransport.(*http.Transport), method, url, body, headers...))(t)
}

// Request is like [Get], but sends any method and body through a copy of transport, and returns an
// error instead of failing the test.
func Request(ctx context.Context, transport *http.Transport, method, url string, body io.Reader,
	headers ...string) (Answer, error) {
	transport = transport.Clone()
	defer transport.CloseIdleConnections()
	return Do(ctx, transport, method, url, body, headers...)
}

// Do is like [Request], but uses transport itself and its open connections.
func Do(ctx context.Context, transport http.RoundTripper, method, url string, body io.Reader,
	headers ...string) (Answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return Answer{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := transport.RoundTrip(r)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return Answer{response.StatusCode, response.Header, string(text)}, err
}

// Lines splits text into lines.
func Lines(text string) []string {
	var all []string
	for scanner := bufio.NewScanner(strings.NewReader(text)); scanner.Scan(); {
		all = append(all, scanner.Text())
	}
	return all
}
