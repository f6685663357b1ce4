package command

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.com/petstore/handlers/config"
	"example.com/petstore/store/field"
)

// readEnvironment sets flags from their environment variables, unless the command line sets them.
// It ignores empty variables. Commas, with optional spaces, separate the values of a repeatable
// flag. The error names every invalid variable.
func (o *options) readEnvironment(f *pflag.FlagSet, environ []string) error {
	values := variables(environ)
	o.variables = make(map[string]string)
	var wrong []error
	for _, s := range o.All() {
		name := s.Variable()
		value := values[name]
		if name == "" || value == "" || f.Changed(s.Name) {
			continue
		}
		parts := []string{value}
		if s.Repeatable() {
			parts = regexp.MustCompile(` *, *`).Split(value, -1)
		}
		for _, part := range parts { // Set fails only for an invalid value, because the flag exists
			if invalid, ok := errors.AsType[*pflag.InvalidValueError](f.Set(s.Name, part)); ok {
				wrong = append(wrong, badValue(name, invalid))
			}
		}
		o.variables[s.Name] = name
	}
	return errors.Join(wrong...)
}

// kubernetes matches the variables that Kubernetes sets for a Service called petstore or
// petstore-NAME, except PETSTORE_PORT and PETSTORE_NAME_PORT, which a user may set by mistake.
// environmentWarnings recognizes those by their value, an address such as tcp://10.0.0.1:80.
var kubernetes = regexp.MustCompile(`^PETSTORE_(\w+_)?(SERVICE_HOST|SERVICE_PORT|SERVICE_PORT_\w+|PORT_\d+_\w+)$`)

// others are variables that start with PETSTORE_ but are not for this program. Clients and tests of
// the program read them, except PETSTORE_VERSION, which many container images set.
var others = []string{"PETSTORE_BINARY", "PETSTORE_URL", "PETSTORE_REQUIRE_TOOLS", "PETSTORE_VERSION"}

// environmentWarnings returns a warning for each variable that seems to be meant for a flag but
// belongs to none. It also returns one for each key whose variable is set but empty and whose flag
// is not given. A secret without a value can make the variable empty. The server then accepts more
// requests than its user wants.
func (o *options) environmentWarnings(f *pflag.FlagSet, environ []string) []string {
	values := variables(environ)
	var known, unknown, empty []string
	for _, s := range o.All() {
		name := s.Variable()
		if name == "" {
			continue
		}
		known = append(known, name)
		if value, there := values[name]; s.IsKey && there && value == "" && !f.Changed(s.Name) {
			empty = append(empty,
				fmt.Sprintf("the variable %s is empty, so there is no such key: give it a value, or remove it", name))
		}
	}
	for name, value := range values {
		flag, ours := strings.CutPrefix(name, "PETSTORE_")
		if !ours || value == "" || slices.Contains(others, name) || slices.Contains(known, name) ||
			kubernetes.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://") {
			continue
		}
		advice := "--help lists the flags"
		nearest := o.nearest(strings.ReplaceAll(flag, "_", "-"))
		if meant := nearest.Variable(); meant != "" {
			advice = "did you mean " + meant + "?"
		}
		unknown = append(unknown, fmt.Sprintf("the variable %s does not belong to a flag; %s", name, advice))
	}
	slices.Sort(unknown)
	return append(unknown, empty...)
}

// nearest returns the setting whose flag is closest in spelling to an unknown flag. For port and p,
// it returns the setting addr. It returns the zero Setting if no flag is close.
func (o *options) nearest(flag string) config.Setting {
	settings := make(map[string]config.Setting)
	var names []string
	for _, s := range o.All() {
		settings[s.Name] = s
		names = append(names, s.Name)
	}
	if flag = strings.ToLower(flag); flag == "port" || flag == "p" {
		flag = "addr"
	}
	name, _ := field.Nearest(flag, names)
	return settings[name]
}

// variables converts the environment to a map.
func variables(environ []string) map[string]string {
	values := make(map[string]string)
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return values
}
