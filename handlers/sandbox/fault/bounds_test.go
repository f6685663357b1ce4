package fault

import (
	"slices"
	"strings"
	"testing"
)

// TestDelaysAreBoundedTogether checks every form of the longest delay, and of a delay that is a
// millisecond longer.
func TestDelaysAreBoundedTogether(t *testing.T) {
	t.Parallel()
	const most = int(MaxDelay / 1e6)
	known := func(string) error { return nil }
	for _, test := range []struct {
		delay Delay
		want  string
	}{
		{Delay{FixedMs: new(most)}, ""},
		{Delay{JitterMs: new(most)}, ""},
		{Delay{FixedMs: new(most), JitterMs: new(0)}, ""},
		{Delay{FixedMs: new(0), JitterMs: new(most)}, ""},
		{Delay{FixedMs: new(most - 1), JitterMs: new(1)}, ""},
		{Delay{P50Ms: new(most), P99Ms: new(most)}, ""},
		{Delay{FixedMs: new(most), JitterMs: new(1)}, "must be at most 0 with this fixedMs, since no delay can be longer than 600000 milliseconds"},
		{Delay{FixedMs: new(1), JitterMs: new(most)}, "must be at most 599999 with this fixedMs, since no delay can be longer than 600000 milliseconds"},
	} {
		problems := (&Rule{Delay: &test.delay}).Check(known, Headers{})
		switch {
		case test.want == "" && len(problems) > 0:
			t.Errorf("%v is refused: %v", test.delay, problems)
		case test.want != "" && (len(problems) != 1 || problems[0].Field != "/delay/jitterMs" || problems[0].Message != test.want):
			t.Errorf("%v: %v, want %s", test.delay, problems, test.want)
		}
	}
}

// TestFieldNames checks that field names are the tokens of RFC 9110, section 5.6.2.
func TestFieldNames(t *testing.T) {
	t.Parallel()
	const token = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	allowed := make(map[byte]bool)
	for i := range len(token) {
		allowed[token[i]] = true
	}
	for c := range 256 {
		if name := "X" + string([]byte{byte(c)}); isFieldName(name) != allowed[byte(c)] {
			t.Errorf("isFieldName(%q) = %t", name, !allowed[byte(c)])
		}
	}
	if isFieldName("") {
		t.Error("the empty text is a name")
	}
}

// TestRulesCountTheirBytes checks that every change of the rules counts the bytes that they hold,
// excluding the rules that all sandboxes share.
func TestRulesCountTheirBytes(t *testing.T) {
	t.Parallel()
	f := newRules(coded("base"))
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
	if got := f.Fork().Bytes(); got != int64(first) {
		t.Errorf("a fork holds %d bytes, want %d", got, first)
	}
	mustAdd(t, f, Rule{Match: &Match{OperationID: "getPet", Method: "GET", Path: "/pets/*", Headers: map[string]string{"X-A": "b"}}})
	second := ruleBytes + headerBytes + len("getPet") + len("GET") + len("/pets/*") + len("X-A") + len("b")
	expect("with two", first+second)
	if err := f.Delete(2); err != nil {
		t.Fatal(err)
	}
	expect("without the first", second)
	long := func(bytes int) Rule { return Rule{Message: strings.Repeat("x", bytes-ruleBytes)} }
	largest := slices.Repeat([]Rule{long(MaxRule)}, MaxBytes/MaxRule)
	for _, r := range largest[1:] {
		mustAdd(t, f, r)
	}
	if _, err := f.Add(long(MaxRule - second + 1)); err != ErrBytes {
		t.Errorf("one byte too many: %v", err)
	}
	mustAdd(t, f, long(MaxRule-second))
	expect("full", MaxBytes)
	if _, err := f.Replace(append(largest, Rule{})); err != ErrBytes {
		t.Errorf("replaced by one byte too many: %v", err)
	}
	expect("after what was refused", MaxBytes)
	f.CopyFrom(newRules())
	expect("after a reset", 0)
}
