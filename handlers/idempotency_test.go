package handlers_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

// TestReplay repeats every POST with its key. It gets the first response again, and the operation
// does not run again.
func TestReplay(t *testing.T) {
	t.Parallel()
	for _, r := range []Request{
		Post("/pets", `{"name": "Bello", "categoryId": 1}`),
		Post("/categories", `{"name": "Fish"}`),
		Post("/store/orders", `{"petId": 1}`),
		Post("/messages", `{"message": "Hello"}`).WithKey("demo-key"),
	} {
		t.Run(r.Path, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			first := w.Must(t, Keyed(r, `"8e03978e-40d5"`))
			first.ExpectHeader(t, "Idempotency-Replayed")
			state := w.State(t)
			second := w.Must(t, Keyed(r, `"8e03978e-40d5"`))
			second.ExpectHeader(t, "Idempotency-Replayed", "true")
			if second.Status != first.Status || string(second.Body) != string(first.Body) {
				t.Errorf("replayed %d %s, want %d %s", second.Status, second.Body, first.Status, first.Body)
			}
			for _, name := range []string{"Location", "ETag"} {
				second.ExpectHeader(t, name, first.Header.Get(name))
			}
			if diff := cmp.Diff(state, w.State(t)); diff != "" {
				t.Errorf("the replay changed the state:\n%s", diff)
			}
			third := w.Must(t, Keyed(r, "other"))
			third.ExpectHeader(t, "Idempotency-Replayed")
			if third.Header.Get("Location") == first.Header.Get("Location") {
				t.Error("another key made no other record")
			}
		})
	}
}

// TestKeyRules checks rules that the transcript idempotency.txt lacks.
func TestKeyRules(t *testing.T) {
	t.Parallel()
	pet := Post("/pets", `{"name": "Bello", "categoryId": 1}`)
	for _, test := range []struct {
		name          string
		first, second Request
		status        int
		code, field   string // of the second response
		replayed      bool
	}{
		{name: "the first and the last valid character", first: Keyed(pet, "!~"), second: Keyed(pet, ` "!~" `), status: 201, replayed: true},
		{name: "keys differ in case", first: Keyed(pet, "k1"), second: Keyed(pet, "K1"), status: 201},
		{name: "the same body, formatted differently", first: Keyed(pet, "k1"), second: Keyed(Post("/pets", pet.Body+" "), "k1"),
			status: 422, code: "idempotency_key_reused", field: "Idempotency-Key"},
		{name: "another query", first: Keyed(pet, "k1"), second: Keyed(Post("/pets?a=b", pet.Body), "k1"), status: 201, replayed: true},
		{name: "another method", first: Keyed(pet, "k1"), second: Keyed(Put("/pets/1", pet.Body), "k1"), status: 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			w.Must(t, test.first)
			a := w.Do(t, test.second)
			var fields []string
			if test.field != "" {
				fields = []string{test.field}
			}
			a.Expect(t, test.status, test.code, fields...)
			var replayed []string
			if test.replayed {
				replayed = []string{"true"}
			}
			a.ExpectHeader(t, "Idempotency-Replayed", replayed...)
		})
	}
}

// TestFailuresAreNotReplayed repeats a failed request after the cause of the failure is gone.
func TestFailuresAreNotReplayed(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	pet := Keyed(Post("/pets", `{"name": "Nemo", "categoryId": 5}`), "k1")
	w.Do(t, pet).Expect(t, 422, "unknown_category", "/categoryId")
	w.Must(t, Post("/categories", `{"name": "Fish"}`))
	a := w.Do(t, pet)
	a.Expect(t, 201, "")
	a.ExpectHeader(t, "Idempotency-Replayed")

	failing := pet
	failing.Header = pet.Header.Clone()
	failing.Header.Set("Idempotency-Key", "k2")
	failing.Header.Set("Prefer", "code=503")
	w.Do(t, failing).Expect(t, 503, "unavailable")
	w.Do(t, Keyed(pet, "k2")).ExpectHeader(t, "Idempotency-Replayed")
}

// TestReplayOutlivesItsRecord checks that a replay returns the first response even after its
// record was deleted.
func TestReplayOutlivesItsRecord(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	pet := Keyed(Post("/pets", `{"name": "Bello", "categoryId": 1}`), "k1")
	first := w.Must(t, pet)
	w.Must(t, Delete(first.Header.Get("Location")))
	w.Must(t, pet).ExpectJSON(t, string(first.Body))

	w.Must(t, Post("/admin/reset", "")) // forgets the key
	again := w.Must(t, pet)
	again.ExpectHeader(t, "Idempotency-Replayed")
	again.ExpectHeader(t, "Location", first.Header.Get("Location"))
}

// TestKeyInFlight holds the store's write lock, so that the first of two requests cannot finish.
// The second one is refused.
func TestKeyInFlight(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	held, release := make(chan struct{}), make(chan struct{})
	go func() {
		_ = w.Server.Sandboxes().Default().Store.Update(store.Beside{}, func(*store.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	type result struct {
		a   *Answer
		err error
	}
	results := make(chan result)
	for range 2 {
		go func() {
			a, err := w.Try(t.Context(), Keyed(Post("/pets", `{"name": "Bello", "categoryId": 1}`), "k1"))
			results <- result{a, err}
		}()
	}
	refused := <-results
	close(release)
	made := <-results
	if refused.err != nil || made.err != nil {
		t.Fatal(refused.err, made.err)
	}
	refused.a.Expect(t, 409, "conflict")
	made.a.Expect(t, 201, "")
}

// TestReplacedDataForgetsKeys checks that no response is replayed whose record an undo, a restore,
// an import or a reset has removed, or after a reset of the keys.
func TestReplacedDataForgetsKeys(t *testing.T) {
	t.Parallel()
	for name, takeBack := range map[string]Request{
		"undo":    Post("/admin/undo", ""),
		"restore": Post("/admin/snapshots/before/restore", ""),
		"import":  Put("/admin/state", BaselineText),
		"reset":   Post("/admin/reset?only=data", ""),
		"keys":    Post("/admin/reset?only=keys", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			w.Must(t, Put("/admin/snapshots/before", ""))
			create := Post("/pets", NewPet)
			create.Header = http.Header{"Idempotency-Key": {"k"}}
			w.Must(t, create)
			w.Must(t, takeBack)
			a := w.Must(t, create)
			a.ExpectHeader(t, "Idempotency-Replayed")
			w.Do(t, Get(a.Header.Get("Location"))).Expect(t, 200, "")
		})
	}
}
