// Package must fails a test if a call returns an error.
package must

// test is a *testing.T, or a *rapid.T.
type test interface {
	Helper()
	Fatal(args ...any)
}

// Get returns a function that returns v, or fails the test if err is not nil:
//
//	text := must.Get(os.ReadFile(name))(t)
func Get[T any](v T, err error) func(test) T {
	return func(t test) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
