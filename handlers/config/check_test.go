package config

import (
	"errors"
	"testing"
)

// TestConfigProblemsAreTold checks the messages for programs that set a field and for users who
// give the flag.
func TestConfigProblemsAreTold(t *testing.T) {
	t.Parallel()
	c := Config{MaxRecords: -1, Journal: new(-1)}
	var problems Problems
	if !errors.As(c.Check(), &problems) {
		t.Fatal("Check finds nothing")
	}
	if got, want := problems.Error(), "Config.MaxRecords must be at least 1, not -1\nConfig.Journal cannot be negative; 0 turns it off"; got != want {
		t.Errorf("by field they are\n%s\nwant\n%s", got, want)
	}
	if got, want := problems.ByFlag(), "--max-records must be at least 1, not -1\n--journal cannot be negative; 0 turns it off"; got != want {
		t.Errorf("by flag they are\n%s\nwant\n%s", got, want)
	}
}

// TestWrongKeysAreNumbered checks that each invalid key is reported by its number, and that no key
// is shown.
func TestWrongKeysAreNumbered(t *testing.T) {
	t.Parallel()
	const header = "must consist of visible ASCII characters without spaces, since it is sent in a header"
	for _, test := range []struct {
		keys []string
		want string
	}{
		{[]string{"two words"}, "Config.APIKeys " + header},
		{[]string{""}, "Config.APIKeys is empty; give it a value or leave it out"},
		{[]string{"two words", "good", "", "clé"}, "Config.APIKeys (1 of 4) " + header +
			"\nConfig.APIKeys (3 of 4) is empty; give it a value or leave it out\nConfig.APIKeys (4 of 4) " + header},
	} {
		c := Config{APIKeys: test.keys}
		if err := c.Check(); err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, want\n%s", test.keys, err, test.want)
		}
	}
}

// TestZeroByFlagIsNoDefault checks that an explicit zero of a flag does not select the default, as
// the zero value of a field does.
func TestZeroByFlagIsNoDefault(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{
		"max-records":   "--max-records must be at least 1, not 0",
		"max-sandboxes": "--max-sandboxes must be at least 1 (the default sandbox), not 0",
		"sandbox-ttl":   "--sandbox-ttl must be more than 0, not 0s",
		"admin-key":     "--admin-key is empty, which would leave the control plane open; give it a value or leave it out",
	} {
		p := Program{}
		p.SetDefaults(func(string) bool { return false })
		var problems Problems
		err := p.Check(func(given string) bool { return given == flag })
		if !errors.As(err, &problems) || problems.ByFlag() != want {
			t.Errorf("--%s with its zero: %v, want %s", flag, err, want)
		}
	}
}

func TestLatencyText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "200ms", "200ms..800ms", "0s..1s"} {
		var l Latency
		if text != "" {
			if err := l.Set(text); err != nil {
				t.Error(err)
			}
		}
		if got := l.String(); got != text {
			t.Errorf("%q is told as %q", text, got)
		}
	}
}
