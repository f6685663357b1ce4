package command

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.com/petstore/store/field"
)

// variableOf returns the name of a flag's environment variable, or "" if it has none: flags that
// make the program do one thing and exit work only on the command line. (Many images set
// PETSTORE_VERSION.)
func variableOf(flag string) string {
	switch flag {
	case "", "help", "version", "completion", "wait-ready":
		return ""
	}
	return "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readEnvironment sets each flag that is missing from the command line from its variable, unless
// that is empty. The values of a repeatable flag are separated by commas, with optional spaces. The
// error names every invalid variable.
func readEnvironment(f *pflag.FlagSet, environ []string) error {
	values := variables(environ)
	var wrong []error
	f.VisitAll(func(flag *pflag.Flag) {
		name := variableOf(flag.Name)
		value := values[name]
		if name == "" || flag.Changed || value == "" {
			return
		}
		parts := []string{value}
		if flag.Value.Type() == "stringArray" {
			parts = regexp.MustCompile(` *, *`).Split(value, -1)
		}
		for _, part := range parts {
			if err := f.Set(flag.Name, part); err != nil {
				wrong = append(wrong, badValue(name, err))
			}
		}
	})
	return errors.Join(wrong...)
}

// kubernetes matches the variables that Kubernetes sets for a Service called petstore or
// petstore-NAME. One of them is PETSTORE_PORT, an address such as tcp://10.0.0.1:80.
var kubernetes = regexp.MustCompile(`^PETSTORE_(\w+_)?(SERVICE_HOST|SERVICE_PORT|SERVICE_PORT_\w+|PORT_\d+_\w+)$`)

// others are variables with the flags' prefix that other programs read: the clients and tests of
// this program and, for PETSTORE_VERSION, images.
var others = []string{"PETSTORE_BINARY", "PETSTORE_URL", "PETSTORE_REQUIRE_TOOLS", "PETSTORE_VERSION"}

// unknownVariables returns a warning for each variable that looks like a flag's but is not.
func unknownVariables(f *pflag.FlagSet, environ []string) []string {
	var known []string
	f.VisitAll(func(flag *pflag.Flag) {
		if name := variableOf(flag.Name); name != "" {
			known = append(known, name)
		}
	})
	var warnings []string
	for name, value := range variables(environ) {
		rest, ours := strings.CutPrefix(name, "PETSTORE_")
		if value == "" || slices.Contains(others, name) || slices.Contains(known, name) ||
			kubernetes.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://") {
			continue
		}
		meant := variableOf(nearestFlag(f, strings.ReplaceAll(rest, "_", "-")))
		if !ours { // such as PETSTROE_SEED
			i := slices.IndexFunc(known, func(variable string) bool { return field.Distance(name, variable) == 1 })
			if i < 0 {
				continue
			}
			meant = known[i]
		}
		advice := "--help lists the flags"
		if meant != "" {
			advice = "did you mean " + meant + "?"
		}
		warnings = append(warnings, fmt.Sprintf("the variable %s does not belong to a flag; %s", name, advice))
	}
	slices.Sort(warnings)
	return warnings
}

// nearestFlag returns the flag whose name is nearest to an unknown one, or "" if none is near.
func nearestFlag(f *pflag.FlagSet, name string) string {
	if name = strings.ToLower(name); name == "port" || name == "p" {
		return "addr"
	}
	var names []string
	f.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	nearest, _ := field.Nearest(name, names)
	return nearest
}

// emptyKeys returns a warning for each empty variable of a key, such as a secret that was never
// set, because without the key the server is open.
func emptyKeys(f *pflag.FlagSet, environ []string) []string {
	values := variables(environ)
	var warnings []string
	for _, flag := range []string{"api-key", "admin-key"} {
		name := variableOf(flag)
		if value, there := values[name]; there && value == "" && !f.Changed(flag) {
			warnings = append(warnings, fmt.Sprintf("the variable %s is empty, so there is no such key: give it a value, or remove it", name))
		}
	}
	return warnings
}

// variables returns the environment as a map.
func variables(environ []string) map[string]string {
	values := make(map[string]string)
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return values
}
