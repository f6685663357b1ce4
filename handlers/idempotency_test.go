package handlers_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/store"
)

func keyed(r request, key ...string) request {
	r.header = r.header.Clone()
	if r.header == nil {
		r.header = make(http.Header)
	}
	r.header["Idempotency-Key"] = key
	return r
}

// TestReplay repeats every POST with its key: the first answer comes again, and
// nothing happens again.
func TestReplay(t *testing.T) {
	t.Parallel()
	for _, r := range []request{
		{method: "POST", path: "/pets", body: `{"name": "Bello", "categoryId": 1}`},
		{method: "POST", path: "/categories", body: `{"name": "Fish"}`},
		{method: "POST", path: "/store/orders", body: `{"petId": 1}`},
		{method: "POST", path: "/messages", header: demoKey, body: `{"message": "Hello"}`},
	} {
		t.Run(r.path, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			first := w.must(t, keyed(r, `"8e03978e-40d5"`))
			first.expectHeader(t, "Idempotency-Replayed")
			state := w.state(t)
			second := w.must(t, keyed(r, `"8e03978e-40d5"`))
			second.expectHeader(t, "Idempotency-Replayed", "true")
			if second.status != first.status || string(second.body) != string(first.body) {
				t.Errorf("replayed %d %s, want %d %s", second.status, second.body, first.status, first.body)
			}
			for _, name := range []string{"Location", "ETag"} {
				second.expectHeader(t, name, first.header.Get(name))
			}
			if diff := cmp.Diff(state, w.state(t)); diff != "" {
				t.Errorf("the replay changed the state:\n%s", diff)
			}
			third := w.must(t, keyed(r, "other"))
			third.expectHeader(t, "Idempotency-Replayed")
			if third.header.Get("Location") == first.header.Get("Location") {
				t.Error("another key made no other record")
			}
		})
	}
}

func TestKeyRules(t *testing.T) {
	t.Parallel()
	pet := request{method: "POST", path: "/pets", body: `{"name": "Bello", "categoryId": 1}`}
	for _, test := range []struct {
		name          string
		first, second request
		status        int
		code, field   string // of the second answer
		replayed      bool
	}{
		{name: "bare and quoted are one key", first: keyed(pet, "k1"), second: keyed(pet, ` "k1" `), status: 201, replayed: true},
		{name: "keys differ in case", first: keyed(pet, "k1"), second: keyed(pet, "K1"), status: 201},
		{name: "another body", first: keyed(pet, "k1"), second: keyed(request{method: "POST", path: "/pets", body: `{"name": "Rex", "categoryId": 1}`}, "k1"),
			status: 422, code: "idempotency_key_reused", field: "Idempotency-Key"},
		{name: "the same body written otherwise", first: keyed(pet, "k1"), second: keyed(request{method: "POST", path: "/pets", body: pet.body + " "}, "k1"),
			status: 422, code: "idempotency_key_reused", field: "Idempotency-Key"},
		{name: "another path", first: keyed(pet, "k1"), second: keyed(request{method: "POST", path: "/categories", body: `{"name": "Fish"}`}, "k1"), status: 201},
		{name: "another query", first: keyed(pet, "k1"), second: keyed(request{method: "POST", path: "/pets?a=b", body: pet.body}, "k1"), status: 201, replayed: true},
		{name: "another method", first: keyed(pet, "k1"), second: keyed(request{method: "PUT", path: "/pets/1", body: pet.body}, "k1"), status: 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.must(t, test.first)
			a := w.do(t, test.second)
			var fields []string
			if test.field != "" {
				fields = []string{test.field}
			}
			a.expect(t, test.status, test.code, fields...)
			var replayed []string
			if test.replayed {
				replayed = []string{"true"}
			}
			a.expectHeader(t, "Idempotency-Replayed", replayed...)
		})
	}
}

// TestOnlySuccessIsKept repeats what failed, after its cause is gone.
func TestOnlySuccessIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pet := keyed(request{method: "POST", path: "/pets", body: `{"name": "Nemo", "categoryId": 5}`}, "k1")
	w.do(t, pet).expect(t, 422, "unknown_category", "/categoryId")
	w.must(t, request{method: "POST", path: "/categories", body: `{"name": "Fish"}`})
	a := w.do(t, pet)
	a.expect(t, 201, "")
	a.expectHeader(t, "Idempotency-Replayed")

	failing := pet
	failing.header = pet.header.Clone()
	failing.header.Set("Idempotency-Key", "k2")
	failing.header.Set("Prefer", "code=503")
	w.do(t, failing).expect(t, 503, "unavailable")
	w.do(t, keyed(pet, "k2")).expectHeader(t, "Idempotency-Replayed")
}

// TestReplayOutlivesItsRecord wants the first answer even where the record is
// gone by then.
func TestReplayOutlivesItsRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pet := keyed(request{method: "POST", path: "/pets", body: `{"name": "Bello", "categoryId": 1}`}, "k1")
	first := w.must(t, pet)
	w.must(t, request{method: "DELETE", path: first.header.Get("Location")})
	w.must(t, pet).expectJSON(t, string(first.body))

	w.must(t, request{method: "POST", path: "/admin/reset"}) // forgets it
	again := w.must(t, pet)
	again.expectHeader(t, "Idempotency-Replayed")
	again.expectHeader(t, "Location", first.header.Get("Location"))
}

// TestKeyInFlight holds the store's writer, so that the first of two requests
// cannot finish: whichever comes second is refused.
func TestKeyInFlight(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	held, release := make(chan struct{}), make(chan struct{})
	go func() {
		_ = w.server.Sandboxes().Default().Store.Update(func(*store.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	type result struct {
		a   *answer
		err error
	}
	results := make(chan result)
	for range 2 {
		go func() {
			a, err := w.try(t.Context(), keyed(request{method: "POST", path: "/pets", body: `{"name": "Bello", "categoryId": 1}`}, "k1"))
			results <- result{a, err}
		}()
	}
	refused := <-results
	close(release)
	made := <-results
	if refused.err != nil || made.err != nil {
		t.Fatal(refused.err, made.err)
	}
	refused.a.expect(t, 409, "conflict")
	made.a.expect(t, 201, "")
}
