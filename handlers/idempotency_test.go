package handlers_test

import (
	"net/http"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

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
		{name: "the first and the last valid character", first: Keyed(pet, "!~"), second: Keyed(pet, ` "!~" `),
			status: 201, replayed: true},
		{name: "keys differ in case", first: Keyed(pet, "k1"), second: Keyed(pet, "K1"), status: 201},
		{name: "the same body, formatted differently", first: Keyed(pet, "k1"),
			second: Keyed(Post("/pets", pet.Body+" "), "k1"),
			status: 422, code: "idempotency_key_reused", field: "Idempotency-Key"},
		{name: "another query", first: Keyed(pet, "k1"), second: Keyed(Post("/pets?a=b", pet.Body), "k1"), status: 201,
			replayed: true},
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
