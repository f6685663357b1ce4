package fault

import (
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// TestRulesCountTheirBytes checks that every change of the rules counts the bytes that they hold.
func TestRulesCountTheirBytes(t *testing.T) {
	t.Parallel()
	f := newRules()
	expect := func(when string, want int) {
		t.Helper()
		if got := f.Bytes(); got != int64(want) {
			t.Errorf("%s: %d bytes, want %d", when, got, want)
		}
	}
	expect("at first", 0)
	mustAdd(t, f, Rule{Code: "code", Message: "text", Headers: map[string]string{"X-A": "b"}})
	first := ruleBytes + headerBytes + len("code") + len("text") + len("X-A") + len("b")
	expect("with one", first)
	fork := new(Rules)
	fork.Load(f.Save())
	if got := fork.Bytes(); got != int64(first) {
		t.Errorf("a fork holds %d bytes, want %d", got, first)
	}
	mustAdd(t, f,
		Rule{Match: &Match{OperationID: "getPet", Method: "GET", Path: "/pets/*",
			Headers: map[string]string{"X-A": "b"}}})
	second := ruleBytes + headerBytes + len("getPet") + len("GET") + len("/pets/*") + len("X-A") + len("b")
	expect("with two", first+second)
	must.Succeed(t, f.Delete(1))
	expect("without the first", second)
	long := func(bytes int) Rule { return Rule{Message: strings.Repeat("x", bytes-ruleBytes)} }
	largest := slices.Repeat([]Rule{long(MaxRule)}, MaxBytes/MaxRule)
	for _, r := range largest[1:] {
		mustAdd(t, f, r)
	}
	if _, err := f.Add(long(MaxRule-second+1), 0); err != ErrBytes {
		t.Errorf("one byte too many: %v", err)
	}
	mustAdd(t, f, long(MaxRule-second))
	expect("full", MaxBytes)
	if _, err := f.Replace(append(largest, Rule{}), 0); err != ErrBytes {
		t.Errorf("replaced by one byte too many: %v", err)
	}
	expect("after what was refused", MaxBytes)
	f.Load(newRules().Save())
	expect("after a reset", 0)
}

// TestReservedIDsAreNew checks that Reserve reports ids that are in use.
func TestReservedIDsAreNew(t *testing.T) {
	t.Parallel()
	f := newRules(Rule{}, Rule{})
	for _, test := range []struct {
		first int64
		want  bool
	}{{2, false}, {3, true}, {3, false}, {4, true}} {
		if got := f.Reserve(test.first, 1); got != test.want {
			t.Errorf("Reserve(%d, 1) after id %d = %t", test.first, f.LastID(), got)
		}
	}
}
