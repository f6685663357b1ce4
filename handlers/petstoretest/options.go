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

// Option configures the server that [Run] or [Start] starts. Options are applied in order: if two
// set the same thing, the later one takes effect.
type Option func(*options)

type options struct {
	config Config
	fakes  bool // whether an option set the seed or the sizes of fake data
	file   string

	world string // the path of the world file, or ""
	draw  uint64 // the number of the first draw; 0 means the number in the world

	withoutNetwork bool

	wrong error // the error of an invalid option, or nil
}

// WithSeed sets the seed of the fake data. The default is 1. The same seed and sizes give the same
// data everywhere.
func WithSeed(seed uint64) Option {
	return func(o *options) { o.config.Seed, o.fakes = &seed, true }
}

// WithSizes sets the numbers of fake records. The default is [fixtures.DefaultSizes], and the
// maximum total is [fixtures.MaxFakes]. With zero Sizes, the store starts empty.
func WithSizes(sizes Sizes) Option {
	return func(o *options) { o.config.Sizes, o.fakes = &sizes, true }
}

// WithFixtures serves the data of a JSON or YAML file instead of fake data. The path is relative to
// the directory of the test's package, where go test runs the test. Package fixtures describes the
// format. All errors in an invalid file are reported.
func WithFixtures(path string) Option {
	return func(o *options) {
		if path == "" {
			o.wrong = errors.New("WithFixtures needs the path of a file, not an empty one")
			return
		}
		o.file = path
	}
}

// FromWorld restores a sandbox from a file. [Sandbox.KeepWorld] writes such files;
// [Sandbox.ExportWorld] and GET /admin/world return their content. The restored sandbox is the
// default one, and other sandboxes start with its data, clock, faults and lifecycles. The path is
// relative to the directory of the test's package. All errors in an invalid file are reported.
// FromWorld cannot be combined with a seed, sizes, fixtures or Config.Baseline, because the file
// sets the data.
//
// With [AtDraw], the first request repeats the random draws of a recorded request.
func FromWorld(path string, opts ...WorldOption) Option {
	return func(o *options) {
		if path == "" {
			o.wrong = errors.New("FromWorld needs the path of a file, not an empty one")
			return
		}
		var err error
		o.draw, err = drawOf(opts)
		o.world, o.wrong = path, cmp.Or(o.wrong, err)
	}
}

// WithConfig calls change, which may set any field of the server's configuration, such as the keys,
// the clock, strictness or the log. If change sets a Baseline, the server serves that data instead
// of fake data.
func WithConfig(change func(*Config)) Option {
	return func(o *options) { change(&o.config) }
}

// WithoutNetwork keeps connections in memory: the server is at http://petstore.test, which only its
// own Client can reach, and no port is opened. The protocol is still HTTP: streams work, the
// context of a request cancels the request, and a response that a fault aborts is an error. In a
// testing/synctest bubble, the server's waits take no real time, even if a fault delays a response
// by minutes. The server and its clients must be in the same bubble, so a bubble cannot use a
// server that [Start] started in TestMain.
//
// Without a network, a test cannot observe TCP itself. A reset looks like an EOF, no bytes wait in
// network buffers, and connecting never fails while the server runs. All clients have the address
// "pipe", so they share one rate limit.
func WithoutNetwork() Option {
	return func(o *options) { o.withoutNetwork = true }
}

// complete returns the configuration, including the data.
func (o *options) complete() (Config, error) {
	if o.wrong != nil {
		return o.config, o.wrong
	}
	if o.withoutNetwork {
		o.config.AllowedHosts = append(slices.Clip(o.config.AllowedHosts), memoryHost)
	}
	if o.world != "" {
		data, err := os.ReadFile(o.world)
		if err != nil {
			return o.config, fmt.Errorf("FromWorld: %w", err)
		}
		o.config.World = data
	}
	if o.file != "" && (o.fakes || o.config.Sizes != nil || o.config.Baseline != nil) || o.fakes &&
		o.config.Baseline != nil {
		return o.config,
			errors.New("the data can come from a seed and sizes, a fixture file or Config.Baseline: choose one")
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
