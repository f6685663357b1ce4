package must

import (
	"errors"
	"fmt"
	"testing"
)

// fake records how a test fails.
type fake struct {
	testing.TB
	said string
}

func (f *fake) Helper() {}

func (f *fake) Fatal(args ...any) { f.said += "stopped: " + fmt.Sprint(args...) }

func (f *fake) Errorf(format string, args ...any) {
	f.said += fmt.Sprintf(format, args...)[:len("page 2,")]
}

// TestFailures checks that each function fails a test when it should, and not otherwise.
func TestFailures(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for want, check := range map[string]func(*fake){
		"":                func(f *fake) { Succeed(f, nil); Get(1, nil)(f); Equal(f, []int{1}, []int{1}, "page") },
		"stopped: broken": func(f *fake) { Get(1, broken)(f) },
		"page 2,":         func(f *fake) { Equal(f, []int{1}, []int{2}, "page %d", 2) },
	} {
		var f fake
		if check(&f); f.said != want {
			t.Errorf("the test fails with %q, want %q", f.said, want)
		}
	}
}
