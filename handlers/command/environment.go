package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.com/petstore/store/field"
)

// variableOf returns the name of a flag's variable in the environment, empty where
// it has none: the flags that make the program do one thing and end are for the
// command line alone. PETSTORE_VERSION is set in many an image.
func variableOf(flag string) string {
	switch flag {
	case "help", "version", "completion", "wait-ready":
		return ""
	}
	return "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readEnvironment sets each flag that the command line left out from its variable,
// if that is not empty. A repeatable flag's values are separated by commas. The
// error names every variable that its flag does not take.
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
			parts = strings.Split(value, ",")
		}
		for _, part := range parts {
			if err := f.Set(flag.Name, part); err != nil {
				wrong = append(wrong, badValue(name, err))
			}
		}
	})
	return errors.Join(wrong...)
}

// misspelt returns a warning for each variable that is one letter off that of a
// flag. Other unknown variables are somebody else's: images and orchestrators set
// PETSTORE_PORT and its like.
func misspelt(f *pflag.FlagSet, environ []string) []string {
	var known []string
	f.VisitAll(func(flag *pflag.Flag) {
		if name := variableOf(flag.Name); name != "" {
			known = append(known, name)
		}
	})
	var warnings []string
	for name, value := range variables(environ) {
		if value == "" || slices.Contains(known, name) {
			continue
		}
		for _, variable := range known {
			if field.Distance(name, variable) == 1 {
				warnings = append(warnings, fmt.Sprintf("the variable %s does not belong to a flag; did you mean %s?", name, variable))
				break
			}
		}
	}
	slices.Sort(warnings)
	return warnings
}

// emptyKeys returns a warning for each variable of a key that is there and empty, as a
// secret that was never set is: without the key the server is open.
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

// variables returns the values of the environment by their names.
func variables(environ []string) map[string]string {
	values := make(map[string]string)
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return values
}
