package command

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/rest"
)

// options contains the settings from the command line and the environment, and values derived from
// these.
type options struct {
	config.Program

	variables   map[string]string // by flag: the environment variable that set it
	madeKey     bool              // the admin key was generated and must be logged
	tls         *tls.Config       // nil for HTTP without TLS
	certificate *certificateFiles // nil if there are no certificate files
	stdin       io.Reader
	terminal    bool // standard error is a terminal
}

// parse reads the command line and, for flags that are missing there, the environment. It then sets
// the defaults and validates the options. If the program only prints something, parse reads only
// the command line. An error is a usageError.
func (o *options) parse(f *pflag.FlagSet, args, environ []string) error {
	if err := f.Parse(args); err != nil {
		if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			return usageError{badValue("--"+invalid.GetFlag().Name, invalid)}
		}
		return usagef("%w; %s--help lists the flags", err, o.didYouMean(err, args))
	}
	if f.NArg() > 0 {
		return usagef("unexpected argument %q; %s", f.Arg(0), insteadOf(f.Arg(0)))
	}
	if o.Help || o.Version || f.Changed("completion") {
		return nil
	}
	if err := o.readEnvironment(f, environ); err != nil {
		return usageError{err}
	}
	if err := o.readVerbose(f); err != nil {
		return err
	}
	return o.check(f)
}

// badValue returns the error for an invalid value of the named flag or variable.
func badValue(name string, invalid *pflag.InvalidValueError) error {
	return fmt.Errorf("%s %w, not %q", name, invalid.Unwrap(), invalid.GetValue())
}

// givenPort matches --port and -p, with which many other servers set the port.
var givenPort = regexp.MustCompile(`(?:^| )(?:--port|-p)[ =]?(\d+)`)

// didYouMean returns the text that suggests a flag, or "" if err is not about an unknown flag or no
// flag is close to it.
func (o *options) didYouMean(err error, args []string) string {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return ""
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); len(short) > 1 { // such as -addr, with one dash
		name, _, _ = strings.Cut(short, "=")
	}
	meant := o.nearest(name).Name
	if meant == "" {
		return ""
	}
	if port := givenPort.FindStringSubmatch(strings.Join(args, " ")); meant == "addr" && port != nil {
		meant += " 127.0.0.1:" + port[1]
	}
	return "did you mean --" + meant + "? "
}

// insteadOf returns advice for an argument that is not a flag.
func insteadOf(argument string) string {
	switch filepath.Ext(argument) {
	case ".json", ".yaml", ".yml":
		return fmt.Sprintf("to serve the data of a file, give --fixtures %s", argument)
	}
	return "only flags are accepted, and --help lists them"
}

// readVerbose sets the log level to debug if --verbose is given. If only one of --verbose and
// --log-level is from the environment, the other one takes precedence. Otherwise, --verbose with a
// --log-level other than debug is an error.
func (o *options) readVerbose(f *pflag.FlagSet) error {
	fromEnvironment := o.variables["verbose"] != ""
	alike := f.Changed("log-level") && fromEnvironment == (o.variables["log-level"] != "")
	switch {
	case !o.Verbose, f.Changed("log-level") && !alike && fromEnvironment:
		return nil
	case alike && o.LogLevel != slog.LevelDebug:
		return usagef(
			"--verbose is short for --log-level debug, so --log-level %s contradicts it: give one or the other",
			strings.ToLower(o.LogLevel.String()))
	}
	return f.Set("log-level", "debug")
}

// check sets the defaults and validates the options. It also generates an admin key if a public URL
// is given without one.
func (o *options) check(f *pflag.FlagSet) error {
	o.SetDefaults(f.Changed)
	if o.MCP && !f.Changed("addr") {
		o.Addr = "127.0.0.1:0" // any free port; the program prints the address on standard error
	}
	if o.Config.PublicURL != "" && o.Config.AdminKey == "" && !f.Changed("admin-key") {
		o.makeAdminKey()
	}
	if err := o.Check(f.Changed); err != nil {
		return usageError{o.byFlag(err)}
	}
	return nil
}

// called returns the name by which the user has set a flag, such as PETSTORE_SEED or --seed.
func (o *options) called(flag string) string {
	if variable := o.variables[flag]; variable != "" {
		return variable
	}
	return "--" + flag
}

// byFlag rewrites configuration errors so that they name flags or variables.
func (o *options) byFlag(err error) error {
	if problems, ok := errors.AsType[config.Problems](err); ok {
		return errors.New(problems.ByFlag(o.called))
	}
	if wrong, ok := errors.AsType[*handlers.WorldError](err); ok {
		return fmt.Errorf("%s %s cannot be used:\n%s", o.called("world"), o.World, rest.Message(wrong.Err, rest.OnWire))
	}
	return err
}

// flags returns a flag set that stores the values of flags in o.
func (o *options) flags() *pflag.FlagSet {
	all := pflag.NewFlagSet("petstore", pflag.ContinueOnError)
	all.SortFlags = false
	all.SetOutput(io.Discard) // Run reports errors
	for _, s := range o.All() {
		flag := all.VarPF(s.Value, s.Name, s.Short, s.Help)
		flag.DefValue = s.Value.Default()
		if s.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
	return all
}

// usage is printed before the flags by --help.
const usage = `Usage: petstore [flags]

Serves an in-memory pet store. Every flag is also PETSTORE_<FLAG> in the
environment, except --wait-ready, --completion, --version and --help.
`

// groupedUsage formats the flags in groups, with one line for each flag. The columns are aligned
// across all groups.
func groupedUsage(flags *pflag.FlagSet, groups []config.Group) string {
	lines := strings.SplitAfter(flags.FlagUsages(), "\n")
	var text strings.Builder
	for _, g := range groups {
		text.WriteString("\n" + g.Title + ":\n" + strings.Join(lines[:len(g.Settings)], ""))
		lines = lines[len(g.Settings):]
	}
	return text.String()
}
