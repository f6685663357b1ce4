package petstoretest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/rest"
)

// Option changes what [Run] and [Start] start. Options are applied in order: if two set the same
// thing, the later one takes effect.
type Option func(*options)

type options struct {
	config Config
	fakes  bool // an option asks for fake data
	file   string

	world string // the path of the file, or ""
	draw  uint64 // 0 uses the world's

	withoutNetwork bool

	wrong error // an error in one option
}

// WithSeed generates the fake data from the seed instead of 1. The same seed and
// sizes give the same data everywhere.
func WithSeed(seed uint64) Option {
	return func(o *options) { o.config.Seed, o.fakes = &seed, true }
}

// WithSizes makes as many fake records as sizes says, instead of those of [fixtures.DefaultSizes],
// and at most [fixtures.MaxFakes] in all. The zero Sizes start an empty store.
func WithSizes(sizes Sizes) Option {
	return func(o *options) {
		if err := sizes.Check(); err != nil {
			o.wrong = fmt.Errorf("WithSizes: %w", err)
			return
		}
		o.config.Sizes, o.fakes = &sizes, true
	}
}

// WithFixtures serves the data of a JSON or YAML file instead of fake data. The path
// is relative to the directory of the test's package, where go test runs it; package
// fixtures shows the format. All errors of a bad file are reported.
func WithFixtures(path string) Option {
	return func(o *options) {
		if path == "" {
			o.wrong = errors.New("WithFixtures needs the path of a file, not an empty one")
			return
		}
		o.file = path
	}
}

// FromWorld starts the server with everything that a sandbox held, from a file that
// [Sandbox.KeepWorld], [Sandbox.ExportWorld] or GET /admin/world has written. It becomes the
// default sandbox, and other sandboxes start with its data. The path is relative to the directory
// of the test's package. All errors of a bad file are reported. Seed, sizes, fixtures and
// Config.Baseline are part of it and cannot be given as well.
//
// With [AtDraw], the first request repeats the random draws of one that failed.
func FromWorld(path string, opts ...WorldOption) Option {
	return func(o *options) {
		if path == "" {
			o.wrong = errors.New("FromWorld needs the path of a file, not an empty one")
			return
		}
		w, err := worldOptionsOf(opts)
		o.world, o.draw, o.wrong = path, w.draw, cmp.Or(o.wrong, err)
	}
}

// WithConfig lets change set any field of the server's configuration: keys, the
// clock, strictness, the log. A Baseline that it sets is served instead of fake data.
func WithConfig(change func(*Config)) Option {
	return func(o *options) {
		if change == nil {
			o.wrong = errors.New("WithConfig needs a function that changes the configuration, not nil")
			return
		}
		change(&o.config)
	}
}

// WithoutNetwork keeps connections in memory: the server is at http://petstore.test, which only its
// own Client can reach, and no port is opened. It is still HTTP: streams flow, a request's context
// cancels it, and a response that a fault aborts is an error. In a testing/synctest bubble the
// server's waits take no real time: a fault may delay a response by minutes. Server and clients
// must be in the same bubble, so that a server of [Start] in a TestMain cannot be used from one.
//
// TCP itself cannot be observed this way. A reset is an end of file, no bytes wait in network
// buffers, connecting never fails while the server runs, and every client has the address "pipe",
// so that they share one rate limit.
func WithoutNetwork() Option {
	return func(o *options) { o.withoutNetwork = true }
}

// complete returns the configuration with its data.
func (o *options) complete() (Config, error) {
	if o.wrong != nil {
		return o.config, o.wrong
	}
	if o.withoutNetwork {
		o.config.AllowedHosts = append(slices.Clip(o.config.AllowedHosts), memoryHost)
	}
	if o.world != "" {
		switch {
		case o.file != "":
			return o.config, errors.New("the data can come from a world or from a fixture file: choose one")
		case o.config.World != nil:
			return o.config, errors.New("the world can come from FromWorld or from Config.World: choose one")
		}
		data, err := os.ReadFile(o.world)
		if err != nil {
			return o.config, fmt.Errorf("FromWorld: %w", err)
		}
		o.config.World = data
	}
	if o.file != "" && (o.fakes || o.config.Sizes != nil || o.config.Baseline != nil) || o.fakes && o.config.Baseline != nil {
		return o.config, errors.New("the data can come from a seed and sizes, a fixture file or Config.Baseline: choose one")
	}
	if o.file == "" {
		return o.config, nil
	}
	data, err := os.ReadFile(o.file)
	if err != nil {
		return o.config, fmt.Errorf("WithFixtures: %w", err)
	}
	if o.config.Baseline, err = fixtures.Decode(data); err != nil {
		return o.config, fmt.Errorf("WithFixtures: %s cannot be used:\n%s", o.file, rest.Message(err, rest.InGo))
	}
	return o.config, nil
}
