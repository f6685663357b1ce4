package sandbox

import (
	"errors"
	"fmt"
	"testing"
)

// did reports whether the key was replayed, and returns Do's error.
func did(i *Idempotency, key string, answer Answer) (bool, error) {
	_, replayed, err := i.Do("POST /pets", key, nil, func() (Answer, error) { return answer, nil })
	return replayed, err
}

func mustDo(t *testing.T, i *Idempotency, key string, answer Answer, replayed bool) {
	t.Helper()
	if got, err := did(i, key, answer); got != replayed || err != nil {
		t.Errorf("key %s: replayed = %t, %v; want %t", key, got, err, replayed)
	}
}

// TestOldestResponsesAreDropped reaches the limit on the number of keys. The next key displaces the
// first one.
func TestOldestResponsesAreDropped(t *testing.T) {
	t.Parallel()
	var i Idempotency
	for n := range maxAnswers {
		mustDo(t, &i, fmt.Sprint(n), Answer{}, false)
	}
	mustDo(t, &i, "0", Answer{}, true)
	mustDo(t, &i, "one more", Answer{}, false)
	mustDo(t, &i, "1", Answer{}, true)
	mustDo(t, &i, "0", Answer{}, false)
	if len(i.entries) != maxAnswers || len(i.kept) != maxAnswers {
		t.Errorf("%d entries, %d kept", len(i.entries), len(i.kept))
	}
}

// TestKeptResponsesAreBounded reaches the limit on bytes.
func TestKeptResponsesAreBounded(t *testing.T) {
	t.Parallel()
	var i Idempotency
	half := Answer{Body: make([]byte, maxAnswerBytes/2-answerBytes-len("POST /pets")-len("a"))}
	mustDo(t, &i, "a", half, false)
	mustDo(t, &i, "b", half, false)
	mustDo(t, &i, "a", half, true)
	mustDo(t, &i, "c", Answer{Body: []byte("x")}, false)
	mustDo(t, &i, "b", half, true)
	mustDo(t, &i, "c", half, true)
	mustDo(t, &i, "a", half, false)
	if n := i.Bytes(); n > maxAnswerBytes {
		t.Errorf("%d bytes kept", n)
	}
	mustDo(t, &i, "too large", Answer{Body: make([]byte, maxAnswerBytes+1)}, false)
	mustDo(t, &i, "too large", Answer{}, false)
}

// TestFailuresAreForgotten checks that a key can be used again after an error or a panic.
func TestFailuresAreForgotten(t *testing.T) {
	t.Parallel()
	var i Idempotency
	failure := errors.New("failed")
	if _, _, err := i.Do("POST /pets", "k", nil, func() (Answer, error) { return Answer{}, failure }); err != failure {
		t.Errorf("error = %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _, _ = i.Do("POST /pets", "k", nil, func() (Answer, error) { panic("failed") })
	}()
	mustDo(t, &i, "k", Answer{}, false)
}

// TestResetForgetsRunningRequests checks that a request that began before a reset, successful or
// not, does not change the keys after it.
func TestResetForgetsRunningRequests(t *testing.T) {
	t.Parallel()
	for _, end := range []error{nil, errors.New("failed")} {
		var i Idempotency
		_, _, err := i.Do("POST /pets", "k", nil, func() (Answer, error) {
			i.Reset()
			mustDo(t, &i, "k", Answer{Location: "/pets/7", Body: []byte("7")}, false)
			return Answer{Location: "/pets/101", Body: []byte("101")}, end
		})
		if err != end {
			t.Errorf("error = %v, want %v", err, end)
		}
		answer, replayed, err := i.Do("POST /pets", "k", nil, func() (Answer, error) {
			return Answer{}, errors.New("ran again")
		})
		if answer.Location != "/pets/7" || !replayed || err != nil {
			t.Errorf("answer = %+v, replayed = %t, %v", answer, replayed, err)
		}
		if want := int64(answerBytes + len("POST /pets") + len("k") + len("/pets/7") + len("7")); len(i.kept) != 1 ||
			i.Bytes() != want {
			t.Errorf("%d kept in %d bytes, want 1 in %d", len(i.kept), i.Bytes(), want)
		}
	}
}

// TestIdempotencyCountsKeys checks that the text of a key counts while its request runs and until
// the key is forgotten, and that a running request's key is not displaced.
func TestIdempotencyCountsKeys(t *testing.T) {
	t.Parallel()
	var i Idempotency
	_, _, err := i.Do("POST /pets", "runs", nil, func() (Answer, error) {
		if want := int64(answerBytes + len("POST /pets") + len("runs")); i.Bytes() != want {
			t.Errorf("%d bytes while it runs, want %d", i.Bytes(), want)
		}
		mustDo(t, &i, "too large", Answer{Body: make([]byte, maxAnswerBytes)}, false)
		if _, err := did(&i, "runs", Answer{}); err != ErrKeyInUse {
			t.Errorf("a second request with the key of a too large response: %v, want in use", err)
		}
		return Answer{}, errors.New("failed")
	})
	if err == nil || i.Bytes() != 0 || len(i.entries) != 0 {
		t.Errorf("%v, and %d entries of %d bytes are left", err, len(i.entries), i.Bytes())
	}
	for n := range maxAnswers + 10 {
		mustDo(t, &i, fmt.Sprintf("%03d", n%1000)+fmt.Sprint(n/1000), Answer{}, false)
	}
	if want := int64(maxAnswers * (answerBytes + len("POST /pets") + 4)); i.Bytes() != want {
		t.Errorf("%d bytes of %d answers, want %d", i.Bytes(), maxAnswers, want)
	}
	i.Reset()
	if i.Bytes() != 0 {
		t.Errorf("%d bytes after a reset", i.Bytes())
	}
}
