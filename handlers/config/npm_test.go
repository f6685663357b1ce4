package config

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestOptionsOfNPM compares the options of the npm package's start() with the settings.
func TestOptionsOfNPM(t *testing.T) {
	t.Parallel()
	types := map[string]string{"bool": "boolean", "number": "number", "bytes": "number | string", "list": "string | string[]"}
	var flags, reserved string
	var secret []string
	for s := range new(Program).All() {
		name := regexp.MustCompile("-.").ReplaceAllStringFunc(s.Name, func(pair string) string { return strings.ToUpper(pair[1:]) })
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
		flags += fmt.Sprintf("  /** %s */\n  %s?: %s | undefined\n", help, name, cmp.Or(types[s.Value.Type()], "string"))
	}
	compareFile(t, "../../.release/npm/src/settings.ts", regexp.MustCompile(`(?s).*`), "// Made from the table in handlers/config by go test ./handlers/config -update.\n\n"+
		"/** The flags of the program, as --help has them. */\nexport interface Flags {\n"+flags+"}\n\n"+
		"/** Flags that start() sets itself, or that make the binary do something else than serve HTTP. */\n"+
		"export const reserved: Record<string, string> = {\n"+reserved+"}\n\n"+
		"/** Flags whose values are secret: they go by the environment, since other users of a machine can read arguments. */\n"+
		"export const secret = ["+strings.Join(secret, ", ")+"]\n")
}
