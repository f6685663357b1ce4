package world

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Read reads what a sandbox of the server is to hold; sb is any of them. spend, if not nil, is
// told before, from time to time, how many bytes of memory reading needs beyond six times
// those of the data.
//
// The error is a [fixtures.Problems], with all of them at once and as [fixtures.Decode] tells
// them; or spend's, or one of those of [sandbox.Sandbox.Enter].
func Read(data []byte, sb *sandbox.Sandbox, spend func(bytes int64) error) (*sandbox.NewWorld, error) {
	return read(data, sb, spend, nil)
}

// read is Read of a file whose baseline may be one of the bases, by its number.
func read(data []byte, sb *sandbox.Sandbox, spend func(bytes int64) error, bases map[int64]sandbox.Baseline) (*sandbox.NewWorld, error) {
	r := &reader{sb: sb, spend: spend, bases: bases, draw: 1, ruleIDs: make(map[int64]bool)}
	r.world.Lifecycles = make(map[string]*sandbox.Lifecycle)
	err := fixtures.ReadJSON(data, r.fields(), r, r.complete)
	switch {
	case r.format != Format && !unreadable(err):
		return nil, r.wrongFormat()
	case err != nil:
		return nil, err
	case r.err != nil || r.full != nil:
		return nil, cmp.Or(r.err, r.full)
	}
	r.world.Draw = uint64(r.draw)
	return &r.world, nil
}

// reader reads one file.
type reader struct {
	sb    *sandbox.Sandbox
	spend func(bytes int64) error
	bases map[int64]sandbox.Baseline // nil: the file has its own
	world sandbox.NewWorld
	err   error // the first that is no problem of the file, at which reading stops
	full  error // that there is more of something than a sandbox can have

	format    int64
	generator string
	seed      uint64
	draw      int64

	hasBaseline bool // good or not
	lost        bool // whether what differs from a state that was not read cannot be read
	nextFault   int64
	ruleIDs     map[int64]bool
}

// fields are those of the file, in the order in which they are read.
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
		part("journal", readJournal),
	})
}

// wrongFormat is what is wrong with a file of another format, or of none.
func (r *reader) wrongFormat() error {
	var problems field.Problems
	switch {
	case r.format > Format:
		problems.Add("format", "is %d, but this version of the program reads %d; use a newer one", r.format, Format)
	case r.format == 0:
		problems.Add("format", "is required, and must be %d; a file without it is no world (records alone are a state: PUT /admin/state, or --fixtures)", Format)
	default:
		problems.Add("format", "must be %d, not %d", Format, r.format)
	}
	return fixtures.Problems(problems)
}

// unreadable reports whether the file is not one JSON object, or its format not an integer.
func unreadable(err error) bool {
	problems, ok := errors.AsType[fixtures.Problems](err)
	return ok && (problems[0].Field == "" || problems[0].Field == "format" || fixtures.Broken(problems[0].Field))
}

// complete says what is wrong with the file as a whole, and adds what it leaves out.
func (r *reader) complete(in *field.Reading) {
	if r.format != Format || r.err != nil {
		return
	}
	r.checkNextFault(in)
	if !r.hasBaseline {
		in.Within("baseline", func(in *field.Reading) {
			in.Wrong("is required, unless the data is generated; give one or the other")
		})
	}
}

// readJournal reads nothing of the journal, which stays where it was written.
func readJournal(v jsontext.Value, in *field.Reading) {
	field.EachValue(v, in, func(entry jsontext.Value) {
		if entry.Kind() != '{' {
			in.Wrong("must be an object, not %s", field.KindName(entry.Kind()))
		}
	})
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
	if c.Now.Year() < 1 {
		in.Within("now", func(in *field.Reading) { in.Wrong("%v", sandbox.ErrClockRange) })
		return
	}
	r.world.Now, r.world.Frozen = &c.Now, c.Frozen
}
