package command

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// change sends JSON to a server and checks that the request succeeds.
func change(t *testing.T, method, address, body string) {
	t.Helper()
	if a := programtest.Send(t, method, address, strings.NewReader(body)); a.Status >= http.StatusBadRequest {
		t.Fatalf("%s %s = %d %s", method, address, a.Status, a.Body)
	}
}

// try is an attempt to deliver an event.
type try struct {
	Status int
	Error  string
}

// firstTry waits for the first attempt of a webhook.
func firstTry(t *testing.T, p *programtest.Process, webhook string) try {
	t.Helper()
	for {
		found := programtest.GetJSON[struct{ Deliveries []struct{ Tries []try } }](t,
			p.URL+"/admin/webhooks/"+webhook+"/deliveries")
		if len(found.Deliveries) > 0 && len(found.Deliveries[0].Tries) > 0 {
			return found.Deliveries[0].Tries[0]
		}
	}
}

// TestReceivers runs the receivers of testdata/recipes/webhook, which verify signatures. They must
// accept deliveries signed with their secret, and no others.
func TestReceivers(t *testing.T) {
	t.Parallel()
	for tool, file := range map[string]string{"python3": "receiver.py", "node": "receiver.mjs"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			programtest.RequireTool(t, tool)
			const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
			said := programtest.NewTranscript()
			receiver := exec.CommandContext(t.Context(), tool, "../../testdata/recipes/webhook/"+file)
			receiver.Env = append(os.Environ(), "SECRET="+secret, "PORT=0")
			receiver.Stdout, receiver.Stderr = said, os.Stderr
			must.Succeed(t, receiver.Start())
			t.Cleanup(func() { _ = receiver.Process.Kill(); _ = receiver.Wait() })
			url := said.Line("http://127.0.0.1:")
			p := programtest.StartPetstore(t)
			for name, secret := range map[string]string{"good": secret, "bad": "whsec_" + strings.Repeat("A", 32)} {
				change(t, http.MethodPut, p.URL+"/admin/webhooks/"+name,
					fmt.Sprintf(`{"url": %q, "secret": %q, "events": ["pet.*"]}`, url, secret))
			}
			// The receivers use the real time.
			change(t, http.MethodPut, p.URL+"/admin/clock", `{"now": "2031-01-01T00:00:00Z"}`)
			change(t, http.MethodDelete, p.URL+"/pets/7", "")
			if line := said.Line("pet.deleted"); !strings.Contains(line, "7") {
				t.Errorf("the receiver says %q", said)
			}
			for name, want := range map[string]int{"good": http.StatusNoContent, "bad": http.StatusUnauthorized} {
				if got := firstTry(t, p, name).Status; got != want {
					t.Errorf("with the %s secret the answer is %d, want %d", name, got, want)
				}
			}
		})
	}
}

// TestLastDeliveries ends a server with pending deliveries. A slow receiver must get them, and a
// receiver that never responds must not block the end.
func TestLastDeliveries(t *testing.T) {
	t.Parallel()
	came := make(chan struct{}, 100)
	answered, answer := context.WithCancel(t.Context())
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came <- struct{}{}
		<-answered.Done()
	}))
	defer slow.Close()
	defer answer()
	p := programtest.StartPetstore(t)
	change(t, http.MethodPut, p.URL+"/admin/webhooks/slow", fmt.Sprintf(`{"url": %q}`, slow.URL))
	change(t, http.MethodDelete, p.URL+"/pets/7", "")
	<-came
	change(t, http.MethodDelete, p.URL+"/pets/8", "") // queued behind the first delivery
	must.Succeed(t, p.Cmd.Process.Signal(syscall.SIGTERM))
	answer()
	<-came
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d", code)
	}

	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // needed to detect the closed connection
		came <- struct{}{}
		<-r.Context().Done()
	}))
	defer hanging.Close()
	p = programtest.StartPetstore(t)
	change(t, http.MethodPut, p.URL+"/admin/webhooks/hanging", fmt.Sprintf(`{"url": %q}`, hanging.URL))
	change(t, http.MethodDelete, p.URL+"/pets/7", "")
	<-came
	began := time.Now()
	must.Succeed(t, p.Cmd.Process.Signal(syscall.SIGTERM))
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(began); took < webhookTimeout {
		t.Errorf("it ended after %v, and did not wait for the receiver", took)
	}
}
