package handlers_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestFaultOfAStream injects faults into an operation whose response is endless.
func TestFaultOfAStream(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.AddFault(t, `{"match": {"operationId": "streamEvents"}, "when": "after", "status": 503, "times": 1}`)
	w.Get(t, "/events").Expect(t, 503, "unavailable")
	w.Must(t, Put("/admin/faults", `[{"match": {"operationId": "streamEvents"}, "abort": "truncate"}]`))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, w.URL+"/events", nil)
	response, err := w.Loose().Client.Do(r)
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil || ctx.Err() != nil {
		t.Errorf("the stream ended with %v", err)
	}
}

// TestFaultDelayMoment checks whether the operation has run while its client is still waiting.
func TestFaultDelayMoment(t *testing.T) {
	t.Parallel()
	for when, pets := range map[string]int{"before": 5, "after": 6} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			w.AddFault(t, fmt.Sprintf(`{"delay": {"fixedMs": 600000}, "when": %q}`, when))
			answered := make(chan *Answer)
			go func() {
				a, err := w.Loose().Try(t.Context(), Post("/pets", NewPet))
				if err != nil {
					t.Error(err)
				}
				answered <- a
			}()
			Await(t, func() bool { return w.Applied()[0] > 0 })
			count := func() int { return w.Server.Sandboxes().Default().Store.View().Counts().Pets }
			if when == "after" {
				Await(t, func() bool { return count() != 5 })
			}
			if got := count(); got != pets {
				t.Errorf("%d pets while it waits, want %d", got, pets)
			}
			w.Server.Close()
			a := <-answered
			a.Expect(t, 503, "unavailable")
			if contains := strings.Contains(a.Problem(t).Message,
				"returned status 201"); contains != (when == "after") {
				t.Errorf("message = %q", a.Problem(t).Message)
			}
		})
	}
}

func TestAbortReset(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	before := w.State(t)
	w.AddFault(t, `{"abort": "reset"}`)
	connection := w.Dial(t)
	Send(t, connection, "DELETE /pets/1 HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := connection.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("read = %v, want a connection reset", err)
	}
	if w.State(t) != before {
		t.Error("the operation ran")
	}
	const counted = `petstore_http_requests_total{operation="deletePet",status="aborted"} 1`
	Await(t, func() bool { return strings.Contains(string(w.Server.Metrics()), counted) })
}

func TestAbortTruncate(t *testing.T) {
	t.Parallel()
	for _, gzip := range []string{"", "Accept-Encoding: gzip\r\n"} {
		t.Run(gzip, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			for range 8 { // so that the list is worth compressing
				w.Must(t, Post("/pets", `{"categoryId": 1, "name": "`+strings.Repeat("x", 200)+`"}`))
			}
			whole := w.Get(t, "/pets")
			w.AddFault(t, `{"abort": "truncate"}`)
			connection := w.Dial(t)
			Send(t, connection, "GET /pets HTTP/1.1\r\nHost: x\r\n"+gzip+"\r\n")
			answer := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
			body, err := io.ReadAll(answer.Body)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the body ends with %v, want %v", err, io.ErrUnexpectedEOF)
			}
			if want := string(whole.Body[:len(whole.Body)/2]); string(body) != want {
				t.Errorf("body = %s, want %s", body, want)
			}
			if answer.StatusCode != 200 || answer.ContentLength != int64(len(whole.Body)) ||
				answer.Header.Get("X-Total-Count") != "13" {
				t.Errorf("%d %v", answer.StatusCode, answer.Header)
			}
			const counted = `petstore_http_requests_total{operation="listPets",status="aborted"} 1`
			Await(t, func() bool { return strings.Contains(string(w.Server.Metrics()), counted) })
		})
	}
}

// TestAbortsWithTLS injects the same faults with TLS, whose connection is of another type, and
// over HTTP/2, whose connection carries other requests too.
func TestAbortsWithTLS(t *testing.T) {
	t.Parallel()
	for _, version := range []int{1, 2} {
		t.Run("HTTP "+strconv.Itoa(version), func(t *testing.T) {
			t.Parallel()
			server := NewServer(t)
			listener := httptest.NewUnstartedServer(server)
			listener.EnableHTTP2 = version == 2
			listener.StartTLS()
			t.Cleanup(listener.Close)
			client := listener.Client()
			do := func(method, path, body string) (int, string, error) {
				r, _ := http.NewRequestWithContext(t.Context(), method, listener.URL+path, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				response, err := client.Do(r)
				if err != nil {
					return 0, "", err
				}
				defer response.Body.Close()
				got, err := io.ReadAll(response.Body)
				if response.ProtoMajor != version {
					t.Errorf("answered over %s", response.Proto)
				}
				return response.StatusCode, string(got), err
			}
			for _, abort := range []string{"reset", "truncate"} {
				rules := fmt.Sprintf(`[{"match": {"operationId": "createCategory"}, "abort": %q}]`, abort)
				if status, body, err := do("PUT", "/admin/faults", rules); status != 200 || err != nil {
					t.Fatal(status, body, err)
				}
				status, body, err := do("POST", "/categories", `{"name": "Fish"}`)
				switch {
				case err == nil:
					t.Errorf("%s: %d %s", abort, status, body)
				case abort == "truncate" && (status != 201 || body == ""):
					t.Errorf("%s: %d %s %v", abort, status, body, err)
				case abort == "reset" && version == 1 && !errors.Is(err, syscall.ECONNRESET):
					t.Errorf("%s: %v, want a connection reset", abort, err)
				case abort == "reset" && version == 2 && !strings.Contains(err.Error(), "INTERNAL_ERROR"):
					// RFC 9113, section 8.1.1.
					t.Errorf("%s: %v, want a reset stream", abort, err)
				}
				if status, _, err := do("GET", "/pets", ""); status != 200 || err != nil {
					t.Errorf("afterwards: %d %v", status, err)
				}
			}
		})
	}
}
