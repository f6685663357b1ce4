package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

func TestWaitReady(t *testing.T) {
	t.Parallel()
	p := programtest.StartPetstore(t)
	for _, base := range []string{p.URL, p.URL + "/"} {
		if got := programtest.RunToEnd(t, "--wait-ready", base); got != (programtest.Result{}) {
			t.Errorf("--wait-ready %s: %+v, want exit code 0 and no word", base, got)
		}
	}
	var asked atomic.Int32
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/healthz" || asked.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, healthy)
	}))
	defer late.Close()
	if got := runToEnd(t, nil, "--wait-ready", late.URL+"/base"); got != (programtest.Result{}) || asked.Load() != 3 {
		t.Errorf("a server that is ready at the third try: %+v after %d tries", got, asked.Load())
	}
}

// TestWaitReadyAtOnce checks that permanent errors end the program without retries, and that the
// certificate of a loopback address is not verified.
func TestWaitReadyAtOnce(t *testing.T) {
	t.Parallel()
	for base, code := range map[string]int{
		"": exitUsage, "127.0.0.1:8080": exitUsage, "ftp://shop.example": exitUsage, "http://127.0.0.1:99999": exitRun,
	} {
		got := runToEnd(t, nil, "--wait-ready", base)
		if got.Code != code || got.Stdout != "" || len(programtest.Lines(got.Stderr)) != 1 {
			t.Errorf("--wait-ready %q: %+v, want exit code %d and a line", base, got, code)
		}
	}
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, healthy) }))
	defer secure.Close()
	if got := runToEnd(t, nil, "--wait-ready", secure.URL); got != (programtest.Result{}) {
		t.Errorf("--wait-ready %s: %+v, want exit code 0 and no word", secure.URL, got)
	}
	// An image that serves HTTPS and checks its own health has such variables.
	environ := []string{"PETSTORE_TLS_CERT=/none.pem", "PETSTORE_WAIT_READY=ftp://shop.example"}
	if got := runToEnd(t, environ, "--wait-ready", secure.URL); got.Code != exitRun || !strings.Contains(got.Stderr, "/none.pem") {
		t.Errorf("with %q: %+v, want exit code 1 for the file", environ, got)
	}
}
