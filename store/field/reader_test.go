package field

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestQuotesAreHintedAt wants a hint where quotes, or their absence, are all that is wrong.
func TestQuotesAreHintedAt(t *testing.T) {
	t.Parallel()
	text := func(v jsontext.Value, r *Reading) { AnyText[string](v, r) }
	number := func(v jsontext.Value, r *Reading) { Number(v, r) }
	for _, test := range []struct {
		read        func(jsontext.Value, *Reading)
		value, want string
	}{
		{text, `1`, "must be a string, not a number; put it in quotes"},
		{text, `true`, "must be a string, not a boolean; put it in quotes"},
		{text, `false`, "must be a string, not a boolean; put it in quotes"},
		{text, `[]`, "must be a string, not an array"},
		{text, `{}`, "must be a string, not an object"},
		{number, `"1"`, "must be a number, not a string; leave out the quotes"},
		{number, `"1x"`, "must be a number, not a string"},
		{number, `"true"`, "must be a number, not a string"},
	} {
		r := Reading{Unquoted: "; put it in quotes"}
		test.read(jsontext.Value(test.value), &r)
		if len(r.Problems) != 1 || r.Problems[0].Message != test.want {
			t.Errorf("%s: %v, want %s", test.value, r.Problems, test.want)
		}
	}
}
