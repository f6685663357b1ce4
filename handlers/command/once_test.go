package command

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// TestNothingIsSentTwice uses a replica that reads a request and closes the connection. With the
// recipes, the client must get a 502 over HTTP/1.1 and HTTP/2, for the first request of a
// connection and for a later one. Neither the proxy nor the client may send the request again.
func TestNothingIsSentTwice(t *testing.T) {
	t.Parallel()
	var arrived atomic.Int32
	replica := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/pets") {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		arrived.Add(1)
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(replica.Close)
	var addresses []string
	for _, theirs := range []string{"10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080"} {
		addresses = append(addresses, theirs, replica.Listener.Addr().String())
	}
	haproxy := programtest.StartHAProxy(t, recipe(t, "haproxy/haproxy.cfg"), addresses...)
	nginx := programtest.NewNginx(t)
	nginx.Start(recipe(t, "nginx/replicas.conf"), "play.example", addresses...)
	for proxy, at := range map[string]struct {
		origin    string
		transport *http.Transport
	}{"haproxy": {haproxy.Origin, haproxy.Transport}, "nginx": {nginx.Origin, nginx.Transport}} {
		for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
			for _, before := range []int{0, 2} {
				transport := at.transport.Clone()
				if version == "HTTP/1.1" {
					transport = overHTTP1(t, at.transport)
				}
				client := http.Client{Transport: transport}
				for range before {
					drain(t, &client, "GET", at.origin+"/sandboxes/ada.two/healthz")
				}
				for _, method := range []string{"POST", "DELETE", "GET"} {
					arrived.Store(0)
					response := drain(t, &client, method, at.origin+"/sandboxes/ada.two/pets")
					if response == nil || response.StatusCode != http.StatusBadGateway || response.Header.Get("Retry-After") != "" ||
						response.Proto != version || arrived.Load() != 1 {
						t.Errorf("%s, %s, after %d: %s arrived %d times, and the client got %+v",
							proxy, version, before, method, arrived.Load(), response)
					}
				}
				transport.CloseIdleConnections()
			}
		}
	}
}

// overHTTP1 returns a copy of the transport that uses HTTP/1.1.
func overHTTP1(t *testing.T, transport *http.Transport) *http.Transport {
	transport = transport.Clone()
	transport.ForceAttemptHTTP2, transport.TLSNextProto, transport.TLSClientConfig.NextProtos = false, nil, nil
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// drain makes a request and reads its response. It returns nil if there is no response.
func drain(t *testing.T, client *http.Client, method, url string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(`{"name": "Rex"}`))
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response
}
