// Package must has the checks that tests of all packages share.
package must

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// test is a [testing.TB] or a *rapid.T.
type test interface {
	Helper()
	Fatal(args ...any)
}

// Get returns a function that returns v, or stops the test if err is not nil:
//
//	text := must.Get(os.ReadFile(name))(t)
func Get[T any](v T, err error) func(test) T {
	return func(t test) T {
		t.Helper()
		Succeed(t, err)
		return v
	}
}

// Succeed stops the test if err is not nil.
func Succeed(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Equal fails the test, but does not stop it, if [cmp.Diff] finds a difference. The format and its
// arguments name the value.
func Equal(t testing.TB, want, got any, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, -want +got:\n%s", fmt.Sprintf(format, args...), diff)
	}
}
