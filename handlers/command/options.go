package command

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
)

// options are the settings from the command line and the environment. Flags are bound to them.
type options struct {
	config handlers.Config

	addr            string
	seed            uint64
	sizes           fixtures.Sizes
	fixtures        string
	world           string
	keep            string
	tlsCert, tlsKey string
	madeKey         bool              // the program generated the admin key, and must show it
	madeTLS         bool              // the certificate was made in memory
	tls             *tls.Config       // nil means plain HTTP
	certificate     *certificateFiles // nil without certificate files
	maxConnections  int
	logFormat       string
	logLevel        slog.Level
	waitReady       string
	drain           time.Duration
	stdin           io.Reader
	exitWithStdin   bool
	mcp             bool
	verbose         bool
	completion      string
	version         bool
	terminal        bool // standard error is a terminal
	help            bool
}

// maxDrain is longer than any load balancer needs to notice that a server stops.
const maxDrain = time.Hour

// parse reads the command line and, for the flags missing there, the environment, unless the
// program only prints something. The error is a usageError.
func (o *options) parse(f *pflag.FlagSet, args, environ []string) error {
	if err := f.Parse(args); err != nil {
		if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			return usageError{badValue("--"+invalid.GetFlag().Name, err)}
		}
		return usagef("%w; %s--help lists the flags", err, didYouMean(f, err, args))
	}
	if f.NArg() > 0 {
		return usagef("unexpected argument %q; %s", f.Arg(0), insteadOf(f.Arg(0)))
	}
	if o.help || o.version || f.Changed("completion") {
		return nil
	}
	if err := o.readVerbose(f); err != nil {
		return err
	}
	chosen := f.Changed("log-level")
	if err := readEnvironment(f, environ); err != nil {
		return usageError{err}
	}
	if !chosen { // a flag takes precedence over a variable
		if err := o.readVerbose(f); err != nil {
			return err
		}
	}
	return o.check(f)
}

// givenPort matches how the port is given to many other servers.
var givenPort = regexp.MustCompile(`(?:^| )(?:--port|-p)[ =]?(\d+)`)

// didYouMean suggests the intended flag if err is about an unknown one.
func didYouMean(f *pflag.FlagSet, err error, args []string) string {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return ""
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); len(short) > 1 { // such as -addr, the form of other programs
		name, _, _ = strings.Cut(short, "=")
	}
	meant := nearestFlag(f, name)
	if meant == "" {
		return ""
	}
	if port := givenPort.FindStringSubmatch(strings.Join(args, " ")); meant == "addr" && port != nil {
		meant += " 127.0.0.1:" + port[1]
	}
	return "did you mean --" + meant + "? "
}

// insteadOf says what to give instead of an argument that is not a flag.
func insteadOf(argument string) string {
	switch filepath.Ext(argument) {
	case ".json", ".yaml", ".yml":
		return fmt.Sprintf("to serve the data of a file, give --fixtures %s", argument)
	}
	return "only flags are accepted, and --help lists them"
}

// readVerbose applies --verbose.
func (o *options) readVerbose(f *pflag.FlagSet) error {
	if !o.verbose {
		return nil
	}
	if f.Changed("log-level") && o.logLevel != slog.LevelDebug {
		return usagef("--verbose is short for --log-level debug, so --log-level %s contradicts it: give one or the other", strings.ToLower(o.logLevel.String()))
	}
	return f.Set("log-level", "debug")
}

// check validates the options.
func (o *options) check(f *pflag.FlagSet) error {
	if o.mcp && !f.Changed("addr") {
		o.addr = "127.0.0.1:0" // the program that starts this one reads the port
	}
	if o.mcp && o.exitWithStdin {
		return usagef("--mcp ends when standard input does, as with --exit-with-stdin: give one or the other")
	}
	if o.logFormat != "text" && o.logFormat != "json" {
		return usagef("--log-format must be text or json, not %q", o.logFormat)
	}
	if host, port, err := net.SplitHostPort(o.addr); err != nil || host == "" && port == "" {
		return usagef("--addr must be host:port, such as 127.0.0.1:8080, not %q", o.addr)
	} else if _, err := net.LookupPort("tcp", port); err != nil {
		return usagef("--addr must be host:port with a port from 0 to 65535, such as 127.0.0.1:8080, not %q", o.addr)
	}
	if o.madeTLS && o.tlsCert+o.tlsKey != "" && o.waitReady == "" {
		return usagef("--tls makes a certificate and cannot be combined with --tls-cert and --tls-key: give one or the other")
	}
	if (o.tlsCert == "") != (o.tlsKey == "") && o.waitReady == "" {
		return usagef("--tls-cert and --tls-key go together: give both or neither")
	}
	if o.config.Workshop && !f.Changed("sandbox-ttl") {
		o.config.SandboxTTL = handlers.WorkshopTTL
	}
	if o.drain < 0 || o.drain > maxDrain {
		return usagef("--drain must be from 0s to 1h, not %v", o.drain)
	}
	if o.maxConnections < 1 {
		return usagef("--max-connections must be at least 1, not %d", o.maxConnections)
	}
	if o.config.PublicURL != "" && o.config.AdminKey == "" && !f.Changed("admin-key") {
		o.makeAdminKey()
	}
	if err := o.checkConfig(f); err != nil {
		return err
	}
	if o.world != "" {
		for _, name := range []string{"fixtures", "seed", "pets", "categories", "orders", "deprecated-since", "sunset", "enforce-sunset", "latency", "error-rate"} {
			if f.Changed(name) {
				return usagef("--%s is part of a world and cannot be combined with --world: give one or the other", name)
			}
		}
	}
	if o.fixtures != "" {
		for _, name := range []string{"seed", "pets", "categories", "orders"} {
			if f.Changed(name) {
				return usagef("--%s is for fake data and cannot be combined with --fixtures: give one or the other", name)
			}
		}
	}
	return nil
}

// checkConfig validates the configuration and names problems by flag.
func (o *options) checkConfig(f *pflag.FlagSet) error {
	config := o.config
	if o.fixtures == "" {
		config.Sizes = &o.sizes
	}
	if err := config.CheckFlags(f.Changed); err != nil {
		return usageError{o.byFlag(err)}
	}
	return nil
}

// byFlag names the problems of a configuration by flag.
func (o *options) byFlag(err error) error {
	if problems, ok := errors.AsType[handlers.ConfigProblems](err); ok {
		return errors.New(problems.ByFlag())
	}
	if wrong, ok := errors.AsType[*handlers.WorldError](err); ok {
		return fmt.Errorf("--world %s cannot be used:\n%w", o.world, wrong.Err)
	}
	return err
}
