package middleware_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/contracttest"
)

// TestFaultAfterTheWrite is what a retry must survive: the write happened, and its
// answer was lost.
func TestFaultAfterTheWrite(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"an answer":           `{"times": 1, "when": "after", "status": 503}`,
		"a reset":             `{"times": 1, "when": "after", "abort": "reset"}`,
		"a broken-off answer": `{"times": 1, "abort": "truncate"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.AddFault(t, rule)
			create := request{Method: "POST", Path: "/pets", Body: newPet, Header: http.Header{"Idempotency-Key": {`"k1"`}}}
			lost, err := w.Loose().Try(t.Context(), create)
			if err == nil {
				lost.Expect(t, 503, "unavailable")
				for _, leak := range []string{"Location", "Etag", "Idempotency-Replayed"} {
					lost.ExpectHeader(t, leak)
				}
				if want := "fault rule 1 replaced the operation's response (status 201) with status 503"; lost.Problem(t).Message != want {
					t.Errorf("message = %q", lost.Problem(t).Message)
				}
			} else if name == "an answer" {
				t.Fatal(err)
			}
			if got := w.Server.Sandboxes().Default().Store.View().Counts().Pets; got != 6 {
				t.Fatalf("%d pets after the lost answer, want 6", got)
			}
			again := w.Do(t, create)
			again.Expect(t, 201, "")
			again.ExpectHeader(t, "Idempotency-Replayed", "true")
			again.ExpectHeader(t, "Location", "/pets/7")
			w.Get(t, "/pets/8").Expect(t, 404, "not_found")
		})
	}
}

// TestFaultAfterAFailure keeps the operation's own refusal away too.
func TestFaultAfterAFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddFault(t, `{"when": "after", "status": 500, "code": "oops"}`)
	for refused, want := range map[*request]string{
		{Method: "GET", Path: "/pets/99"}:                                          "fault rule 1 replaced the operation's response (status 404) with status 500",
		{Method: "POST", Path: "/pets", Body: `{}`}:                                "fault rule 1 replaced the operation's response (status 400) with status 500",
		{Method: "POST", Path: "/pets", Body: `{"name": "Rex", "categoryId": 99}`}: "fault rule 1 replaced the operation's response (status 422) with status 500",
	} {
		a := w.Do(t, *refused)
		a.Expect(t, 500, "oops")
		if got := a.Problem(t).Message; got != want {
			t.Errorf("message = %q, want %q", got, want)
		}
	}
	w.Get(t, "/pets/1").Expect(t, 500, "oops") // the headers of its age stay
}

func TestFaultDelays(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Must(t, request{Method: "PUT", Path: "/admin/clock", Body: `{"frozen": true}`})
			w.AddFault(t, fmt.Sprintf(`{"delay": {"fixedMs": 30}, "when": %q}`, when))
			start := time.Now()
			a := w.Do(t, post("/pets", newPet))
			if waited := time.Since(start); waited < 30*time.Millisecond {
				t.Errorf("it took %v", waited)
			}
			a.Expect(t, 201, "")
			a.ExpectHeader(t, "Location", "/pets/7")
		})
	}
}

// TestFaultDelayMoment looks at what has happened while a client still waits.
func TestFaultDelayMoment(t *testing.T) {
	t.Parallel()
	for when, pets := range map[string]int{"before": 5, "after": 6} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.AddFault(t, fmt.Sprintf(`{"delay": {"fixedMs": 600000}, "when": %q}`, when))
			answered := make(chan *answer)
			go func() {
				a, err := w.Loose().Try(t.Context(), post("/pets", newPet))
				if err != nil {
					t.Error(err)
				}
				answered <- a
			}()
			w.AwaitFault(t)
			count := func() int { return w.Server.Sandboxes().Default().Store.View().Counts().Pets }
			if when == "after" {
				contracttest.Await(t, func() bool { return count() != 5 })
			}
			if got := count(); got != pets {
				t.Errorf("%d pets while it waits, want %d", got, pets)
			}
			w.Server.Close()
			(<-answered).Expect(t, 503, "unavailable")
		})
	}
}
