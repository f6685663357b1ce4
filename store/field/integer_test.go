package field

import (
	"math"
	"strings"
	"testing"
)

func TestParseInteger(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "10": 10, "9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
	} {
		if n, wrong := ParseInteger(text); n != want || wrong != "" {
			t.Errorf("%q = %d, %q, want %d", text, n, wrong, want)
		}
	}
	const (
		none    = "must be an integer such as 7"
		written = "must be an integer, written without "
		bounds  = "must be from -9223372036854775808 to 9223372036854775807"
	)
	for text, want := range map[string]string{
		"": none, " ": none, "-": none, "--1": none, "x": none, "1x": none, " 1": none, "1 ": none, "0x1": none, "1_000": none, "1,2": none,
		"NaN": none, "Inf": none, "null": none, "\u0661": none, "1\n": none,
		"+1": written + "a plus sign or leading zeros", "01": written + "a plus sign or leading zeros", "-01": written + "a plus sign or leading zeros",
		"00": written + "a plus sign or leading zeros", "+0": written + "a plus sign or leading zeros",
		"1.0": written + "a fraction or exponent", "1e2": written + "a fraction or exponent", "-1E+2": written + "a fraction or exponent",
		"1e999":               written + "a fraction or exponent",
		"9223372036854775808": bounds, "-9223372036854775809": bounds, strings.Repeat("9", 1000): bounds,
	} {
		if n, wrong := ParseInteger(text); n != 0 || wrong != want {
			t.Errorf("%q = %d, %q, want %q", text, n, wrong, want)
		}
	}
}
