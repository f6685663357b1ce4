package petstoretest_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// TestEverywhereSkipsDroppedSandboxes drops sandboxes while Everywhere runs, as parallel
// tests do when they end.
func TestEverywhereSkipsDroppedSandboxes(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	for _, name := range []string{"ada", "bea", "cleo"} {
		srv.Sandbox(name)
	}
	var changed []string
	srv.Everywhere(func(s *petstoretest.Sandbox) {
		switch s.Name {
		case "ada":
			srv.Sandbox("bea").Drop()
		case "cleo":
			srv.Sandbox("cleo").Drop()
		}
		s.SetTime(newYear) // also in cleo, which was dropped
		changed = append(changed, s.Name)
	})
	if want := []string{"", "ada", "cleo", "default"}; !slices.Equal(changed, want) {
		t.Errorf("changed are %q, want %q", changed, want)
	}
}

// TestNestedEverywhere changes the template during a change of the template. Each
// call must end the test or succeed, and must not deadlock.
func TestNestedEverywhere(t *testing.T) {
	t.Parallel()
	freeze := func(s *petstoretest.Sandbox) { s.Freeze() }
	const message = "during each attempt to change it; change only the sandbox that is given to the function"
	for name, change := range map[string]func(srv *petstoretest.Server){
		"Everywhere":  func(srv *petstoretest.Server) { srv.Everywhere(freeze) },
		"SetTemplate": func(srv *petstoretest.Server) { srv.SetTemplate(srv.Sandbox("ada")) },
		"HTTP": func(srv *petstoretest.Server) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, srv.URL+"/sandboxes/*/admin/clock",
				strings.NewReader(`{"frozen": true}`))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", "application/json")
			answer, err := srv.Client.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := petstoretest.Run(t)
			mustEnd(t, func(fake *exampleT) {
				own := srv.For(fake)
				own.Everywhere(func(*petstoretest.Sandbox) { change(own) })
			}, message)
		})
	}
	srv := petstoretest.Run(t)
	srv.SetTemplate(srv.Sandbox("ada"))
	srv.Everywhere(func(s *petstoretest.Sandbox) {
		if s.Name == "ada" && s.URL == "" {
			srv.DropTemplate()
		}
		s.Freeze()
	})
	if from, _ := srv.Template(); from != "" || !srv.Sandbox("late").Clock().Frozen {
		t.Errorf("the template is of %q, and its clock runs: %v", from, srv.Sandbox("late").Clock())
	}
}

// TestEverywhereDuringEverywhere changes the template while another change is in progress.
func TestEverywhereDuringEverywhere(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	go func() {
		defer close(ended)
		srv.Everywhere(func(s *petstoretest.Sandbox) {
			if s.Name == "" && calls.Add(1) == 1 {
				close(begun)
				<-end
			}
			s.Freeze()
		})
	}()
	<-begun
	srv.For(t).Everywhere(func(s *petstoretest.Sandbox) { s.SetTime(newYear) })
	close(end)
	<-ended
	late := srv.Sandbox("late").Clock()
	if !late.Frozen || late.Now.Before(newYear) || late.Now.After(newYear.Add(time.Hour)) || calls.Load() != 2 {
		t.Errorf("after %d calls the clock of a late sandbox is %+v, want %v and frozen", calls.Load(), late, newYear)
	}
}

// TestTemplateRefusesSandboxMethods calls methods on the template that require a named sandbox.
func TestTemplateRefusesSandboxMethods(t *testing.T) {
	t.Parallel()
	for method, call := range map[string]func(s *petstoretest.Sandbox){
		"Drop":       func(s *petstoretest.Sandbox) { s.Drop() },
		"Fork":       func(s *petstoretest.Sandbox) { s.Fork("eve") },
		"Renew":      func(s *petstoretest.Sandbox) { s.Renew() },
		"SetKey":     func(s *petstoretest.Sandbox) { s.SetKey("k") },
		"SetPrivate": func(s *petstoretest.Sandbox) { s.SetPrivate(true) },
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			srv := petstoretest.Run(t)
			srv.SetTemplate(srv.Sandbox("ada")) // so that the template has a name
			mustEnd(t, func(fake *exampleT) { srv.For(fake).Everywhere(call) },
				"petstoretest: "+method+" is for a sandbox, not for the template, which Everywhere changes first; "+
					"range over Server.Sandboxes")
			if names := len(srv.Sandboxes()); names != 2 {
				t.Errorf("sandboxes %d, want those from before", names)
			}
		})
	}
}

// TestTemplateOfAnotherServer passes a server a sandbox of another server. Both servers have
// a sandbox of that name.
func TestTemplateOfAnotherServer(t *testing.T) {
	t.Parallel()
	srv, other := petstoretest.Run(t), petstoretest.Run(t)
	srv.Sandbox("ada")
	mustEnd(t, func(fake *exampleT) { srv.For(fake).SetTemplate(other.Sandbox("ada")) },
		`petstoretest: SetTemplate: the sandbox "ada" belongs to another server`)
	if from, _ := srv.Template(); from != "" {
		t.Errorf("the template is of %q, want a fresh one", from)
	}
}
