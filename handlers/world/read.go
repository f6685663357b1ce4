package world

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Read parses a world file. sb is any sandbox of the server. A small file can make Read copy a large
// part of a state. If spend is not nil, Read calls spend before it copies such a part, with the
// number of bytes that the copy may need.
//
// The error is a [fixtures.Problems] value, as for [fixtures.Decode], or comes from spend, or is
// one that [sandbox.Options.Generate] or [sandbox.Sandbox.Load] may return.
func Read(data []byte, sb *sandbox.Sandbox, spend func(bytes int64) error) (*sandbox.NewWorld, error) {
	return read(data, sb, spend, nil)
}

// read is like Read. If bases is not nil, the file does not contain its baseline, but the number of
// a baseline in bases.
func read(data []byte, sb *sandbox.Sandbox, spend func(bytes int64) error,
	bases map[int64]sandbox.Baseline) (*sandbox.NewWorld, error) {
	r := &reader{sb: sb, spend: spend, bases: bases, draw: 1, ruleIDs: make(map[int64]bool)}
	r.world.Lifecycles = make(map[string]*lifecycle.Lifecycle)
	err := fixtures.ReadJSON(data, r.fields(), r, r.complete)
	switch {
	case r.format != Format && !unreadable(err):
		return nil, r.wrongFormat()
	case err != nil:
		return nil, err
	case r.err != nil:
		return nil, r.err
	}
	r.world.Draw = uint64(r.draw)
	r.world.Faults.Next = max(min(r.nextFault, fault.MaxCount), r.world.Faults.Next, 1)
	return &r.world, nil
}

// reader reads one file.
type reader struct {
	sb    *sandbox.Sandbox
	spend func(bytes int64) error
	bases map[int64]sandbox.Baseline // baselines by number; nil if the file has the baseline itself
	world sandbox.NewWorld
	err   error // the first error that is not a problem with the file; later parts are not read

	format    int64
	generator string
	seed      uint64
	draw      int64

	hasBaseline bool // true even if the baseline has problems
	nextFault   int64
	ruleIDs     map[int64]bool
}

// fields returns the fields of the file, in the order in which they are read.
func (r *reader) fields() field.Fields[reader] {
	part := func(name string, read func(v jsontext.Value, in *field.Reading)) field.Field[reader] {
		return field.Custom(name, func(_ *reader, v jsontext.Value, in *field.Reading) {
			if r.format == Format && r.err == nil {
				read(v, in)
			}
		})
	}
	baseline := field.Fields[reader]{part("generated", r.readGenerated), part("baseline", r.readBaseline)}
	if r.bases != nil {
		baseline = field.Fields[reader]{part("base", r.readBase)}
	}
	return slices.Concat(field.Fields[reader]{
		field.Optional("format", func(r *reader) *int64 { return &r.format }, field.AnyInteger, 0),
		field.Optional("generator", func(r *reader) *string { return &r.generator }, field.AnyText, ""),
		field.Optional("seed", func(r *reader) *uint64 { return &r.seed }, field.Unsigned, 1),
		field.Optional("draw", func(r *reader) *int64 { return &r.draw }, field.Integer(1, store.MaxID), 1),
		part("clock", r.readClock),
		part("operations", r.readOperations),
		part("faults", r.readRules(&r.world.Faults.Rules)),
		part("serverFaults", r.readRules(&r.world.Faults.Base)),
		field.Optional("nextFault", func(r *reader) *int64 { return &r.nextFault }, field.Integer(1, store.MaxID), 0),
	}, baseline, field.Fields[reader]{
		part("state", r.next).Demanded(),
		part("snapshots", r.readSnapshots),
		field.Ignored[reader]("journal"),
	})
}

// wrongFormat returns the error for a file with an unknown format version or without one.
func (r *reader) wrongFormat() error {
	var problems field.Problems
	switch {
	case r.format > Format:
		problems.Add("/format", "is %d, but this version of the program reads %d; use a newer one", r.format, Format)
	case r.format == 0:
		message := fmt.Sprintf("is required, and must be %d; a file without it is no world", Format)
		problems = field.Problems{{Field: "/format", Message: message, Code: "no_world"}}
	default:
		problems.Add("/format", "must be %d, not %d", Format, r.format)
	}
	return problems
}

// unreadable reports whether err means that the file is not a JSON object or that its format field
// is not an integer.
func unreadable(err error) bool {
	problems, ok := errors.AsType[field.Problems](err)
	return ok && (problems[0].Field == "" || problems[0].Field == "/format" || fixtures.Broken(problems[0].Field))
}

// complete reports a problem if the file has no baseline.
func (r *reader) complete(in *field.Reading) {
	if r.format != Format || r.err != nil {
		return
	}
	if !r.hasBaseline {
		in.WrongAt("/baseline", "is required, unless the data is generated; give one or the other")
	}
}

var clockFields = field.Fields[clock]{
	field.Required("now", func(c *clock) *time.Time { return &c.Now }, field.Time),
	field.Optional("frozen", func(c *clock) *bool { return &c.Frozen }, field.Boolean, false),
}

func (r *reader) readClock(v jsontext.Value, in *field.Reading) {
	before := len(in.Problems)
	c, ok := field.Nested(clockFields)(v, in)
	if !ok || len(in.Problems) > before {
		return
	}
	if c.Now.Year() < lifecycle.FirstYear {
		in.WrongAt("/now", "%v", sandbox.ErrClockRange)
		return
	}
	r.world.Now, r.world.Frozen = &c.Now, c.Frozen
}
