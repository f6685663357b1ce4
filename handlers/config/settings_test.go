package config

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
)

var update = flag.Bool("update", false, "write the files that follow from the table of settings")

// TestSettingsHaveFields checks that each setting has its own field.
func TestSettingsHaveFields(t *testing.T) {
	t.Parallel()
	p := new(Program)
	settings := make(map[any]string) // by field
	for s := range p.All() {
		at := s.Value.field()
		if other := settings[at]; other != "" {
			t.Errorf("--%s and --%s have the same field", s.Name, other)
		}
		settings[at] = s.Name
		if f, _ := p.field(at); f.Name == "" && !strings.Contains("pets categories orders", s.Name) {
			t.Errorf("--%s has no field", s.Name)
		}
	}
}

// TestZeroConfigIsTheProgramWithoutFlags checks the documented defaults.
func TestZeroConfigIsTheProgramWithoutFlags(t *testing.T) {
	t.Parallel()
	var c Config
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(*c.Seed, *c.Sizes, c.MaxRecords, c.SandboxMemory, c.MaxMemory, c.MaxSandboxes, c.SandboxTTL, *c.Journal, c.DeprecatedSince, c.Sunset)
	want := "1 {100 8 50} 100000 67108864 0 10000 1h0m0s 1000 2026-01-01 00:00:00 +0000 UTC 2030-12-31 00:00:00 +0000 UTC"
	if got != want {
		t.Errorf("the defaults are\n%s, want\n%s", got, want)
	}
	for _, test := range []struct {
		c    Config
		want time.Duration
	}{
		{Config{Workshop: true}, 24 * time.Hour}, // so that no attendee loses data during a break
		{Config{Workshop: true, SandboxTTL: time.Hour}, time.Hour},
	} {
		if err := test.c.Complete(); err != nil || test.c.SandboxTTL != test.want || !test.c.ExplicitSandboxes {
			t.Errorf("an idle sandbox of a workshop stays %v, %v; want %v", test.c.SandboxTTL, err, test.want)
		}
	}
}

// TestSizesTellTheirBound checks that the help of each size contains the largest number of
// records.
func TestSizesTellTheirBound(t *testing.T) {
	t.Parallel()
	for s := range new(Program).All() {
		want := fmt.Sprintf("at most %d records in all", fixtures.MaxFakes)
		if strings.Contains("pets categories orders", s.Name) && !strings.Contains(strings.ReplaceAll(s.Help, ",", ""), want) {
			t.Errorf("--%s: %q, want %q in it", s.Name, s.Help, want)
		}
	}
}

// TestTableOfFlags compares the table in the program's documentation with the settings.
func TestTableOfFlags(t *testing.T) {
	t.Parallel()
	const header = "| flag | default | what it does |\n| --- | --- | --- |\n"
	rows := ""
	for s := range new(Program).All() {
		word, help := s.Usage()
		name := "`--" + strings.TrimSpace(s.Name+" "+word) + "`"
		if s.Short != "" {
			name = "`-" + s.Short + "`, " + name
		}
		byDefault := ""
		if d := s.Value.Default(); d != "" && d != "0" && d != "false" {
			byDefault = "`" + d + "`"
		}
		rows += fmt.Sprintf("| %s | %s | %s |\n", name, byDefault, help)
	}
	compareFile(t, "../command/README.md", regexp.MustCompile(`(?m)`+regexp.QuoteMeta(header)+`(\|.*\n)*`), header+rows)
}

// compareFile compares the matching part of a file with want, or replaces it if -update is set.
func compareFile(t *testing.T, file string, part *regexp.Regexp, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	got := part.FindString(string(text))
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s is not what follows from the settings; go test ./handlers/config -update writes it anew", file)
		return
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), got, want, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}
