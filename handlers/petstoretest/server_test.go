package petstoretest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/petstoretest"
)

// TestMain fails when a goroutine outlives the servers of all tests.
func TestMain(m *testing.M) { testmain.Run(m) }

// pet has the fields of a pet that the tests read.
type pet struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

// get decodes the answer to GET of the path into a value of type T.
func get[T any](t testing.TB, srv *petstoretest.Server, path string) T {
	t.Helper()
	response := must.Get(srv.Client.Get(srv.URL + path))(t)
	return read[T](t, response, http.StatusOK)
}

func read[T any](t testing.TB, response *http.Response, status int) (value T) {
	t.Helper()
	defer response.Body.Close()
	body := must.Get(io.ReadAll(response.Body))(t)
	if response.StatusCode != status {
		t.Fatalf("%s %s: %s, want %d: %s", response.Request.Method, response.Request.URL.Path, response.Status, status,
			body)
	}
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return value
}

func TestCleanupAbortsOpenRequests(t *testing.T) {
	t.Parallel()
	var srv *petstoretest.Server
	var conn net.Conn
	t.Run("inner", func(t *testing.T) {
		srv = petstoretest.Run(t)
		var err error
		if conn, err = net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://")); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, "GET /pets HTTP/1.1\r\nHost: localhost\r\nPrefer: delay=60000\r\n\r\n")
		get[any](t, srv, "/admin") // a later connection is answered, so the first is accepted
	})
	defer conn.Close()
	must.Succeed(t, conn.SetReadDeadline(time.Now().Add(2*time.Minute)))
	answer, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) || len(answer) > 0 {
		t.Errorf("the request in flight got %q, %v, want a broken connection", answer, err)
	}
	if response, err := srv.Client.Get(srv.URL + "/pets"); err == nil {
		response.Body.Close()
		t.Errorf("the server answers %s after its test", response.Status)
	}
}

func TestWarningsGoToTheTest(t *testing.T) {
	t.Parallel()
	fake := newExampleT()
	srv := petstoretest.Run(fake)
	get[pet](t, srv, "/pets/7")
	fake.end()
	if log := fake.output.String(); !strings.Contains(log, "getPet is deprecated") || strings.Contains(log, "time=") {
		t.Errorf("the test's output is %q, want the deprecation without a time", log)
	}
}

// TestExtrasAreMissing checks that a server without extras says so, and names none of their paths.
func TestExtrasAreMissing(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	links := get[map[string]string](t, srv, "/")
	if links["admin"] != "/admin" || links["docs"] != "" || links["openapi"] != "" {
		t.Errorf("the links are %v", links)
	}
	response := must.Get(srv.Client.Get(srv.URL + "/docs/"))(t)
	const want = "this server has no pages, documents and /mcp: package handlers/extras adds them"
	message := read[struct{ Message string }](t, response, http.StatusNotFound).Message
	if !strings.HasSuffix(message, want) || strings.Contains(message, "proxy") {
		t.Error(message)
	}
}
