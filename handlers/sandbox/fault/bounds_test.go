package fault

import "testing"

// TestDelaysAreBoundedTogether: the longest delay in every form, and a millisecond more.
func TestDelaysAreBoundedTogether(t *testing.T) {
	t.Parallel()
	const most = int(MaxDelay / 1e6)
	known := func(string) string { return "" }
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

// TestFieldNames takes what a token of RFC 9110, section 5.6.2, has, and no more.
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
