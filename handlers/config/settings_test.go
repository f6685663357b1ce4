package config

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/internal/must"
)

var update = flag.Bool("update", false, "write the files that follow from the table of settings")

// TestSettingsHaveFields checks that each setting has its own field.
func TestSettingsHaveFields(t *testing.T) {
	t.Parallel()
	p := new(Program)
	settings := make(map[any]string) // by field
	for _, s := range p.All() {
		at := s.Value.field()
		if other := settings[at]; other != "" {
			t.Errorf("--%s and --%s have the same field", s.Name, other)
		}
		settings[at] = s.Name
		if f, _ := p.field(at); f.Name == "" && !slices.Contains(fixtures.SizeNames(), s.Name) {
			t.Errorf("--%s has no field", s.Name)
		}
	}
}

// TestZeroConfigHasDocumentedDefaults checks the documented defaults.
func TestZeroConfigHasDocumentedDefaults(t *testing.T) {
	t.Parallel()
	var c Config
	must.Succeed(t, c.Complete())
	got := fmt.Sprint(*c.Seed, *c.Sizes, c.MaxRecords, c.SandboxMemory, c.MaxMemory, c.MaxSandboxes, c.SandboxTTL,
		*c.Journal, c.DeprecatedSince, c.Sunset)
	want := "1 {100 8 50} 100000 67108864 0 10000 1h0m0s 1000 2026-01-01 00:00:00 " +
		"+0000 UTC 2030-12-31 00:00:00 +0000 UTC"
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

// TestSizeHelpHasItsLimit checks that the help of each size contains the largest number of
// records.
func TestSizeHelpHasItsLimit(t *testing.T) {
	t.Parallel()
	for _, s := range new(Program).All() {
		want := fmt.Sprintf("at most %d records in all", fixtures.MaxFakes)
		if slices.Contains(fixtures.SizeNames(), s.Name) &&
			!strings.Contains(strings.ReplaceAll(s.Help, ",", ""), want) {
			t.Errorf("--%s: %q, want %q in it", s.Name, s.Help, want)
		}
	}
}

// TestTableOfFlags compares the table in the program's documentation with the settings.
func TestTableOfFlags(t *testing.T) {
	t.Parallel()
	const header = "| flag | default | what it does |\n| --- | --- | --- |\n"
	rows := ""
	for _, s := range new(Program).All() {
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
		t.Errorf("%s does not match the settings; go test ./handlers/config -update rewrites it", file)
		return
	}
	must.Succeed(t, os.WriteFile(file, []byte(strings.Replace(string(text), got, want, 1)), 0o644))
}

const pythonTypes = "../../.release/python/petstore_sandbox/_types.py"

// TestFlagsOfPython compares the flags that the client for Python takes with the settings.
func TestFlagsOfPython(t *testing.T) {
	t.Parallel()
	types := map[string]string{"bool": "bool", "number": "int", "decimal": "float", "bytes": "int | str",
		"list": "str | Sequence[str]", "file": "str | os.PathLike[str]"}
	flags := ""
	for _, s := range new(Program).All() {
		if s.NoStart != "" {
			continue
		}
		word, _ := s.Usage()
		kind := cmp.Or(types[s.Value.Type()], types[word], "str")
		if s.Choices != nil {
			kind = `Literal["` + strings.Join(s.Choices, `", "`) + `"]`
		}
		flags += "    " + strings.ReplaceAll(s.Name, "-", "_") + ": " + kind + " | None\n"
	}
	compareFile(t, pythonTypes, regexp.MustCompile(`(?m)(^    addr:.*\n)(    .*\n)*`), flags)
}

// TestClientsTakeSizes compares the sizes that the clients for Python and Java take with the table of
// sizes.
func TestClientsTakeSizes(t *testing.T) {
	t.Parallel()
	baseline := append([]string{"seed"}, fixtures.SizeNames()...)
	const java = "../../.release/java/src/com/example/petstore/Baseline.java"
	for _, test := range []struct {
		file, list, name string // regular expressions of the list and of each name in it
	}{
		{pythonTypes, `class Baseline\(.*\n(\n|    .*\n)+`, `(?m)^    (\w+):`},
		{java, `record Baseline\(.*\)`, `(\w+)[,)]`},
		{java, `\{\n(.*\n)+`, `public Baseline (\w+)\(`},
	} {
		text := must.Get(os.ReadFile(test.file))(t)
		var got []string
		for _, match := range regexp.MustCompile(test.name).
			FindAllStringSubmatch(regexp.MustCompile(test.list).FindString(string(text)), -1) {
			got = append(got, match[1])
		}
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(baseline)); !slices.Equal(got, want) {
			t.Errorf("%s, %s: the names are\n%q, want\n%q", test.file, test.list, got, want)
		}
	}
}

// TestOptionsOfNPM compares the options of the npm package's start() with the settings.
func TestOptionsOfNPM(t *testing.T) {
	t.Parallel()
	types := map[string]string{"bool": "boolean", "number": "number", "decimal": "number",
		"bytes": "number | string", "list": "string | string[]"}
	var flags, reserved string
	var secret []string
	for _, s := range new(Program).All() {
		name := regexp.MustCompile("-.").ReplaceAllStringFunc(s.Name, func(pair string) string {
			return strings.ToUpper(pair[1:])
		})
		if s.IsKey {
			secret = append(secret, "'"+name+"'")
		}
		if s.NoStart != "" {
			reserved += fmt.Sprintf("  %s: '%s',\n", name, s.NoStart)
			continue
		}
		_, help := s.Usage()
		help = strings.Replace(help, "; repeatable", "; an array for several", 1)
		if d := s.Value.Default(); s.Value.Type() == "string" && d != "" {
			help += fmt.Sprintf(" (default %q)", d)
		} else if d != "" && d != "0" && d != "false" {
			help += " (default " + d + ")"
		}
		flags += fmt.Sprintf("  /** %s */\n  %s?: %s | undefined\n", help, name,
			cmp.Or(types[s.Value.Type()], "string"))
	}
	compareFile(t, "../../.release/npm/src/settings.ts", regexp.MustCompile(`(?s).*`),
		"// Made from the table in handlers/config by go test ./handlers/config -update.\n\n"+
			"/** The flags of the program, as --help has them. */\nexport interface Flags {\n"+flags+"}\n\n"+
			"/** Flags that start() sets itself, or that make the binary do something else than serve HTTP. */\n"+
			"export const reserved: Record<string, string> = {\n"+reserved+"}\n\n"+
			"/** Flags whose values are secret: they go by the environment, since other users of a machine can read "+
			"arguments. */\n"+
			"export const secret = ["+strings.Join(secret, ", ")+"]\n")
}

// TestInvalidKeysAreNumbered checks that each invalid key is reported by its number, and that no key
// is shown.
func TestInvalidKeysAreNumbered(t *testing.T) {
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

func TestLatencyText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "200ms", "200ms..800ms", "0s..1.5s", "10m0s"} {
		var l Latency
		if text != "" {
			if err := l.Set(text); err != nil {
				t.Error(err)
			}
		}
		if got := l.String(); got != text {
			t.Errorf("%q is formatted as %q", text, got)
		}
	}
}
