package admin

import (
	"bytes"
	"fmt"
	"io"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// maxImport is the maximum size of an imported state or world, in bytes.
const maxImport = 64 << 20

// exportState returns the current data, or the data right after or right before a request in the
// journal.
func (s *Server) exportState(x *rest.Exchange) error {
	q := x.ReadQuery()
	at := q.OptionalInt("at", 1, store.MaxID)
	before := q.Bool("before")
	if err := q.Err(); err != nil {
		return err
	}
	state := x.Sandbox.Store.View()
	if at != nil {
		var err error
		if state, err = x.Sandbox.At(*at, before); err != nil {
			return err
		}
	}
	return x.Written("application/json", func(w io.Writer) error { return fixtures.Write(w, state) })
}

// importState replaces the data with the data in the body. If baseline is true in the query, it
// also replaces the baseline. If any part of the body is invalid, nothing changes.
func (s *Server) importState(x *rest.Exchange) (rest.Step, error) {
	body, err := x.Body()
	if err != nil {
		return nil, err
	}
	q := x.ReadQuery()
	baseline := q.Bool("baseline")
	if err := q.Err(); err != nil {
		return nil, err
	}
	if x.ByOwner && baseline {
		return nil, needsAdminKey("an import that resets return to", "leave baseline out")
	}
	if err := wantObject(body, "GET /admin/state"); err != nil {
		return nil, err
	}
	state, err := fixtures.Decode(body)
	if err != nil {
		return nil, err
	}
	return func(sb *registry.Entry) (rest.Handler, error) {
		return s.get, sb.Import(state, baseline)
	}, x.CheckTarget() // the sandbox's key or privacy may have changed during decoding
}

// wantObject returns a 400 unless the body starts like a JSON object. source is the operation that
// exports such an object. YAML is valid only in fixture files; see [fixtures.Decode].
func wantObject(body []byte, source string) error {
	text := bytes.TrimLeft(body, " \t\r\n")
	if bytes.HasPrefix(text, []byte("{")) {
		return nil
	}
	at := field.PositionAt(body, len(body)-len(text))
	return rest.Refuse("invalid_json", at.String()+": the body is not a JSON object; send what "+source+" returns")
}

// diffState returns the differences between the current data and a snapshot or the baseline.
func (s *Server) diffState(x *rest.Exchange) error {
	q := x.ReadQuery()
	name := q.Text("from")
	if name != "" && !sandbox.ValidName(name) {
		q.Refuse("from", field.Quote(name)+" "+sandbox.ErrBadSnapshotName.Error())
	}
	if err := q.Err(); err != nil {
		return err
	}
	from := x.Sandbox.Store.Baseline()
	if name != "" {
		snapshot, err := x.Sandbox.Snapshots.Find(name)
		if err != nil {
			return err
		}
		from = snapshot.State
	}
	now := x.Sandbox.Store.View()
	return x.Written("application/json", func(w io.Writer) error {
		if err := now.WriteDiff(w, from); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	})
}

var undoFields = field.Fields[int]{
	field.Optional("steps", func(steps *int) *int { return steps }, field.Int, 1),
}

// undo undoes as many of the last writes as the body requests, by default one.
func (s *Server) undo(x *rest.Exchange) (rest.Step, error) {
	steps, err := rest.ReadOptional(x, undoFields, nil)
	switch {
	case err != nil:
		return nil, err
	case steps == nil:
		steps = new(1)
	case *steps < 1:
		return nil, rest.Invalid("/steps", fmt.Sprintf("must be at least 1, not %d", *steps))
	}
	return func(sb *registry.Entry) (rest.Handler, error) { return s.get, sb.Undo(*steps) }, nil
}
