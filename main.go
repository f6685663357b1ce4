// Petstore serves an in-memory pet store for people who build against one:
// seeded with believable data, the same every time, and back to it on request.
//
// Usage:
//
//	petstore [flags]
//
// README.md has the flags and what to do with them.
package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command"
)

// Exit codes.
const (
	exitOK    = 0
	exitRun   = 1 // could not run: the port is taken, say
	exitUsage = 2 // bad flags, environment or fixtures
)

// How long what can hang may take.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	shutdownTimeout   = 10 * time.Second
	waitReadyTimeout  = 30 * time.Second
	progressAfter     = time.Second
	flushTimeout      = time.Second // for standard error, which nobody has to read
)

// gcPercent lets the heap grow to three times what lives before it is collected,
// which takes much of the collector's work off a request and costs a few
// megabytes. GOGC in the environment says otherwise.
const gcPercent = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)   // a second signal ends the program at once
	signal.Ignore(syscall.SIGPIPE) // who read standard error may have gone
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// run is the program: it returns the exit code, and says on stderr what was wrong.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	o := options{}
	spool := command.NewSpool(stderr, func(lines int) { o.logLoss(stderr, lines) })
	err := o.run(ctx, args, environ, stdout, spool, stderr)
	if err != nil {
		fmt.Fprintln(spool, "petstore:", err)
	}
	spool.Flush(flushTimeout)
	return exitCode(err)
}

func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitRun
}

// usageError is a fault of the command line, the environment or the fixtures.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run serves until ctx ends, then finishes the requests in flight. All it writes
// to standard error goes by the spool.
func (o *options) run(ctx context.Context, args, environ []string, stdout io.Writer, spool *command.Spool, stderr io.Writer) error {
	flags, groups := o.flags()
	switch err := o.parse(flags, args, environ); {
	case err != nil:
		return err
	case o.help:
		_, err := fmt.Fprint(stdout, usage, command.Usage(groups))
		return err
	case o.version:
		_, err := fmt.Fprintln(stdout, "petstore", version())
		return err
	case o.waitReady != "":
		ctx, cancel := context.WithTimeout(ctx, waitReadyTimeout)
		defer cancel()
		return command.WaitReady(ctx, o.waitReady, o.tlsCert)
	}
	logger := slog.New(o.logHandler(spool))
	for _, warning := range command.Misspelt(flags, environ) {
		logger.Warn(warning)
	}
	if err := o.loadCertificate(); err != nil {
		return err
	}
	seeded := make(chan error, 1)
	go func() { seeded <- o.seedStore(stderr, spool) }()
	select {
	case err := <-seeded:
		if err != nil {
			return err
		}
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil // told to stop while it made the data: nothing is in flight yet
	}
	return o.serve(ctx, logger, stdout, spool)
}

// options are the command line and the environment. Flags are bound to them.
type options struct {
	config handlers.Config

	addr            string
	seed            uint64
	sizes           fixtures.Sizes
	fixtures        string
	tlsCert, tlsKey string
	tls             *tls.Config // nil: plain HTTP
	logFormat       string
	logLevel        slog.Level
	waitReady       string
	verbose         bool
	version         bool
	help            bool
}

// usage is what --help says before the flags.
const usage = `Usage: petstore [flags]

Serves an in-memory pet store. Every flag is also PETSTORE_<FLAG> in the
environment, save --wait-ready, --version and --help.
`

// flags returns the flag set with the defaults, and the groups in which --help
// shows it.
func (o *options) flags() (*pflag.FlagSet, []command.Group) {
	serves, data, access := command.NewGroup("What it serves"), command.NewGroup("The data"), command.NewGroup("Who may use it")
	behaviour, bounds, running := command.NewGroup("How it behaves"), command.NewGroup("Bounds"), command.NewGroup("Running")

	f := serves.Flags
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one")
	f.StringVar(&o.tlsCert, "tls-cert", "", "PEM `file` with the certificate to serve HTTPS with, or for --wait-ready to trust")
	f.StringVar(&o.tlsKey, "tls-key", "", "PEM `file` with the certificate's key")

	f = data.Flags
	sizes := fixtures.DefaultSizes()
	f.Uint64Var(&o.seed, "seed", handlers.DefaultSeed, "`number` that the fake data is drawn from; the same seed gives the same data")
	f.IntVar(&o.sizes.Pets, "pets", sizes.Pets, "`number` of fake pets")
	f.IntVar(&o.sizes.Categories, "categories", sizes.Categories, "`number` of fake categories")
	f.IntVar(&o.sizes.Orders, "orders", sizes.Orders, "`number` of fake orders")
	f.StringVar(&o.fixtures, "fixtures", "", "JSON or YAML `file` with the data to serve instead of fakes")

	o.config.AccessFlags(access.Flags)
	o.config.BehaviourFlags(behaviour.Flags)
	o.config.BoundFlags(bounds.Flags)

	f = running.Flags
	f.BoolVarP(&o.verbose, "verbose", "v", false, "log every request; short for --log-level debug")
	f.StringVar(&o.logFormat, "log-format", "text", "`format` of the log on standard error: text or json")
	f.TextVar(&o.logLevel, "log-level", slog.LevelInfo, "least `level` that is logged: debug (every request), info, warn or error")
	f.StringVar(&o.waitReady, "wait-ready", "", "instead of serving, wait at most 30 s until the server at this base `URL` is ready")
	f.BoolVar(&o.version, "version", false, "print the version")
	f.BoolVarP(&o.help, "help", "h", false, "print this list")

	groups := []command.Group{serves, data, access, behaviour, bounds, running}
	all := pflag.NewFlagSet("petstore", pflag.ContinueOnError)
	all.SortFlags = false
	all.SetOutput(io.Discard) // run says what went wrong
	for _, group := range groups {
		all.AddFlagSet(group.Flags)
	}
	return all, groups
}

// parse reads the command line, and the environment for the flags that it does
// not have, unless the program is only to tell of itself. The error is a
// usageError.
func (o *options) parse(f *pflag.FlagSet, args, environ []string) error {
	if err := f.Parse(args); err != nil {
		return usagef("%w; --help lists the flags", err)
	}
	if f.NArg() > 0 {
		return usagef("unexpected argument %q; there are only flags, --help lists them", f.Arg(0))
	}
	if o.help || o.version {
		return nil
	}
	if err := o.readVerbose(f); err != nil {
		return err
	}
	chosen := f.Changed("log-level")
	if err := command.ReadEnvironment(f, environ); err != nil {
		return usageError{err}
	}
	if !chosen { // a flag wins over a variable
		if err := o.readVerbose(f); err != nil {
			return err
		}
	}
	return o.check(f)
}

// readVerbose gives --verbose its meaning.
func (o *options) readVerbose(f *pflag.FlagSet) error {
	if !o.verbose {
		return nil
	}
	if f.Changed("log-level") && o.logLevel != slog.LevelDebug {
		return usagef("--verbose is short for --log-level debug, so --log-level %s contradicts it: give one or the other", strings.ToLower(o.logLevel.String()))
	}
	return f.Set("log-level", "debug")
}

// check refuses what cannot be.
func (o *options) check(f *pflag.FlagSet) error {
	if o.logFormat != "text" && o.logFormat != "json" {
		return usagef("--log-format must be text or json, not %q", o.logFormat)
	}
	if host, port, err := net.SplitHostPort(o.addr); err != nil || host == "" && port == "" {
		return usagef("--addr must be host:port, such as 127.0.0.1:8080, not %q", o.addr)
	} else if _, err := net.LookupPort("tcp", port); err != nil {
		return usagef("--addr %s: %w", o.addr, err)
	}
	if (o.tlsCert == "") != (o.tlsKey == "") && o.waitReady == "" {
		return usagef("--tls-cert and --tls-key go together: give both or neither")
	}
	if err := o.checkConfig(f); err != nil {
		return err
	}
	if o.fixtures != "" {
		for _, name := range []string{"seed", "pets", "categories", "orders"} {
			if f.Changed(name) {
				return usagef("--%s is about fakes, and with --fixtures there are none: give one or the other", name)
			}
		}
	}
	return nil
}

// checkConfig tells what is wrong with the configuration by the names of the flags.
func (o *options) checkConfig(f *pflag.FlagSet) error {
	config := o.config
	if o.fixtures == "" {
		config.Sizes = &o.sizes
	}
	err := config.CheckFlags(f.Changed)
	if problems, ok := errors.AsType[handlers.ConfigProblems](err); ok {
		return usagef("%s", problems.ByFlag())
	}
	return err
}

func (o *options) logHandler(w io.Writer) slog.Handler {
	level := &slog.HandlerOptions{Level: o.logLevel}
	if o.logFormat == "json" {
		return slog.NewJSONHandler(w, level)
	}
	return slog.NewTextHandler(w, level)
}

// logAlways logs a warning that no --log-level hides.
func logAlways(handler slog.Handler, message string, attribute slog.Attr) {
	record := slog.NewRecord(time.Now(), slog.LevelWarn, message, 0)
	record.AddAttrs(attribute)
	_ = handler.Handle(context.Background(), record)
}

func (o *options) logLoss(stderr io.Writer, lines int) {
	logAlways(o.logHandler(stderr), "lines were lost here, since nobody read standard error", slog.Int("lines", lines))
}

// loadCertificate reads the certificate now, so that a bad one stops the start.
func (o *options) loadCertificate() error {
	if o.tlsCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(o.tlsCert, o.tlsKey)
	if err != nil {
		return usagef("--tls-cert %s with --tls-key %s: %w", o.tlsCert, o.tlsKey, err)
	}
	o.tls = &tls.Config{Certificates: []tls.Certificate{pair}}
	return nil
}

// seedStore makes the baseline of the fixture file or of the fakes.
func (o *options) seedStore(stderr, spool io.Writer) error {
	if o.fixtures != "" {
		data, err := os.ReadFile(o.fixtures)
		if err != nil {
			return usagef("--fixtures: %w", err)
		}
		if o.config.Baseline, err = fixtures.Decode(data); err != nil {
			return usagef("--fixtures %s cannot be used:\n%w", o.fixtures, err)
		}
		return nil
	}
	progress, done := o.progress(stderr, spool)
	defer done()
	state, err := fixtures.Generate(o.seed, o.sizes, progress)
	if err != nil {
		return usageError{err}
	}
	o.config.Baseline, o.config.Seed, o.config.Sizes = state, &o.seed, &o.sizes
	return nil
}

// progress returns a function that shows how far the seeding is, on a terminal
// and once it has taken a while, and one that takes the bar away.
func (o *options) progress(stderr, spool io.Writer) (show func(int), done func()) {
	terminal, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	start := time.Now()
	show = func(made int) {
		if time.Since(start) < progressAfter {
			return
		}
		if bar == nil {
			bar = progressbar.NewOptions(o.sizes.Pets+o.sizes.Categories+o.sizes.Orders,
				progressbar.OptionSetWriter(spool),
				progressbar.OptionSetWidth(barWidth(terminal)),
				progressbar.OptionSetDescription("seeding"),
				progressbar.OptionShowCount(),
				progressbar.OptionClearOnFinish(),
			)
		}
		_ = bar.Set(made) // a bar that cannot be drawn is no fault
	}
	return show, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}

// barWidth leaves room for the bar's numbers on the terminal.
func barWidth(terminal *os.File) int {
	columns, _, err := term.GetSize(int(terminal.Fd()))
	if err != nil {
		return 40
	}
	return max(1, min(40, columns-60))
}

// serve listens, says so on standard output and answers until ctx ends.
func (o *options) serve(ctx context.Context, logger *slog.Logger, stdout io.Writer, spool *command.Spool) error {
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another with --addr, port 0 picks a free one", o.addr, err)
	}
	defer listener.Close()
	bound := listener.Addr().(*net.TCPAddr)
	if !bound.IP.IsLoopback() {
		o.guardAdmin(logger, bound)
	}
	o.config.Log, o.config.Version = logger, version()
	service, err := handlers.New(o.config)
	if err != nil {
		return usageError{err}
	}
	server := &http.Server{
		Handler:           service,
		TLSConfig:         o.tls,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          log.New(logWriter{logger}, "", 0),
	}
	server.RegisterOnShutdown(service.Close) // streams would go on for ever
	spool.Flush(flushTimeout)                // what is to be known of the start comes before the address
	if _, err := fmt.Fprintf(stdout, "petstore listening on %s\n", o.url(bound)); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- o.accept(server, listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	logger.Info("stopping: finishing the requests in flight")
	fresh, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(fresh); err != nil {
		logger.Warn("requests broken off", "after", shutdownTimeout)
		_ = server.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (o *options) accept(server *http.Server, listener net.Listener) error {
	if o.tls != nil {
		return server.ServeTLS(listener, "", "") // with server.TLSConfig's certificate
	}
	return server.Serve(listener)
}

// guardAdmin makes an admin key where others can reach the server and none was
// chosen.
func (o *options) guardAdmin(logger *slog.Logger, bound *net.TCPAddr) {
	logger.Info("listening beyond this machine", "addr", bound.String())
	if o.config.AdminKey != "" {
		return
	}
	o.config.AdminKey = rand.Text()
	logAlways(logger.Handler(), "others can reach this server, so its control plane wants a key; choose it with --admin-key", slog.String("key", o.config.AdminKey))
}

// url returns the address to open: that of the listener, by loopback where it
// listens on every interface.
func (o *options) url(bound *net.TCPAddr) string {
	scheme, host := "http", bound.IP.String()
	if o.tlsCert != "" {
		scheme = "https"
	}
	if bound.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, fmt.Sprint(bound.Port))
}

// version returns the module's version as the go command recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// logWriter writes the lines of net/http's own log.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(line []byte) (int, error) {
	w.log.Warn(strings.TrimSpace(string(line)))
	return len(line), nil
}
