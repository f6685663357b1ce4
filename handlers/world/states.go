package world

import (
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Baseline returns the baseline of a world file. If the file has none that can be read, it returns
// an empty baseline. It ignores problems, because [Read] reports them.
func Baseline(data []byte) (b sandbox.Baseline) {
	fields := field.Fields[sandbox.Baseline]{
		field.Optional("seed", func(b *sandbox.Baseline) *uint64 { return &b.Seed }, field.Unsigned, 1),
		field.Pointer("generated", func(b *sandbox.Baseline) **fixtures.Sizes { return &b.Sizes },
			field.Nested(sizesFields)),
		field.Custom("baseline", func(b *sandbox.Baseline, v jsontext.Value, in *field.Reading) {
			b.State, _ = fixtures.ReadState(v, in)
		}),
	}
	_ = fixtures.ReadJSON(data, fields, &b, nil)
	if b.State == nil && b.Sizes != nil {
		b.State, _ = fixtures.Generate(b.Seed, *b.Sizes, nil)
	}
	if b.State == nil {
		return sandbox.Baseline{State: new(store.State), Seed: b.Seed}
	}
	return b
}

var sizesFields = func() (fields field.Fields[fixtures.Sizes]) {
	for _, size := range fixtures.SizeTable {
		fields = append(fields, field.Required(size.Name, size.Of, field.Int))
	}
	return fields
}()

// readGenerated generates the baseline of the file.
func (r *reader) readGenerated(v jsontext.Value, in *field.Reading) {
	r.hasBaseline = true
	before := len(in.Problems)
	sizes, ok := field.Nested(sizesFields)(v, in)
	own := field.Quote(fixtures.Generator)
	switch r.generator {
	case fixtures.Generator:
	case "":
		in.Add(field.Problem{Field: "/generator",
			Message: "is required with generated; this program's is " + own})
	default:
		message := "is " + field.Quote(r.generator) + ", but this program's is " + own + ", which makes other data"
		in.Add(field.Problem{Field: "/generator", Message: message, Code: "other_generator"})
	}
	if !ok || len(in.Problems) > before || in.More {
		return
	}
	baseline, err := r.sb.KnownBaseline(r.seed, sizes)
	if problems, ok := errors.AsType[field.Problems](err); ok {
		for _, p := range problems {
			in.Report(p)
		}
		return
	}
	r.setBaseline(baseline, err)
}

// readBaseline reads a baseline that is written out in the file.
func (r *reader) readBaseline(v jsontext.Value, in *field.Reading) {
	if r.hasBaseline {
		in.Wrong("cannot be combined with generated; give one or the other")
		return
	}
	r.hasBaseline = true
	state, err := fixtures.ReadState(v, in)
	if state != nil {
		state = r.sb.KnownState(state)
	}
	r.setBaseline(sandbox.Baseline{State: state, Seed: r.seed}, err)
}

// readBase looks up a baseline by number.
func (r *reader) readBase(v jsontext.Value, in *field.Reading) {
	r.hasBaseline = true
	n, ok := field.AnyInteger(v, in)
	if !ok {
		return
	}
	base, ok := r.bases[n]
	if !ok {
		in.Wrong("there is no baseline %d", n)
	}
	r.setBaseline(base, nil)
}

func (r *reader) setBaseline(b sandbox.Baseline, err error) {
	if r.err = err; err != nil || b.State == nil {
		return
	}
	r.world.Baseline, r.world.Data = b, r.sb.Store.Rebuild(b.State)
}

// next reads the next state, which the file stores as the difference from the previous state. It
// does nothing after a problem or an error, because the previous state may then be missing or
// incomplete.
func (r *reader) next(v jsontext.Value, in *field.Reading) {
	if r.world.Data == nil || len(in.Problems) > 0 || r.err != nil {
		return
	}
	r.err = r.world.Data.Next(func(tx *store.Tx) error { return fixtures.ReadDifference(tx, v, in, r.spend) })
}

func (r *reader) readSnapshots(v jsontext.Value, in *field.Reading) {
	names := make(map[string]bool)
	field.Each(r.snapshotFields(), v, in, func(s *sandbox.Snapshot, _ bool) {
		if len(r.world.Snapshots) == sandbox.MaxSnapshots {
			r.err = sandbox.ErrSnapshotFull
		}
		switch {
		case s.Name == "": // a problem that is already reported
		case !sandbox.ValidName(s.Name):
			in.WrongAt("/name", "%s %v", field.Quote(s.Name), sandbox.ErrBadSnapshotName)
		case names[s.Name]:
			in.WrongAt("/name", "an earlier snapshot has the name %s too", field.Quote(s.Name))
		}
		names[s.Name] = true
		r.world.Snapshots = append(r.world.Snapshots, *s)
	})
}

func (r *reader) snapshotFields() field.Fields[sandbox.Snapshot] {
	return field.Fields[sandbox.Snapshot]{
		field.Required("name", func(s *sandbox.Snapshot) *string { return &s.Name }, field.Text(1, 63)),
		field.Required("createdAt", func(s *sandbox.Snapshot) *time.Time { return &s.Created }, field.Time),
		field.Custom("state", func(_ *sandbox.Snapshot, v jsontext.Value, in *field.Reading) { r.next(v, in) }).
			Demanded(),
	}
}
