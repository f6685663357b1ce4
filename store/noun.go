package store

import (
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// Noun describes a kind of record: its names, its fields, and the functions that find and change
// records. A function that the noun lacks is nil. Nouns never change.
type Noun[T Appender] struct {
	Name   string // singular
	Plural string
	Key    string // the JSON name of the id
	ID     func(*T) *int64

	Fields  field.Fields[T] // the fields in requests and files, except the id
	Stamped field.Fields[T] // the fields that the server sets; files contain them, but requests do not

	// Requests use these functions.
	Find   func(*State, int64) (T, error)
	Create func(*Tx, T) (T, error)
	Update func(*Tx, T) (T, error)
	Delete func(*Tx, int64) error

	// Loading a file uses these functions. Restore adds a record or replaces the one with the same
	// id.
	Restore func(*Tx, T) (T, error)
	Remove  func(*Tx, int64) error

	// Counter returns a pointer to the noun's counter. A nil Counter means that the records are
	// parts of another noun's records, with the same table and ids.
	Counter func(*Counters) *int64
	// implied reports whether a file omits a difference because differences of other nouns imply
	// it.
	implied func(delta[T]) bool
	rows[T]
}

// Appender is a record that encodes its own JSON exactly as its struct tags describe it. Nearly
// every response consists of records, and with reflection their encoding takes several times as
// long. Invalid UTF-8, which no stored record has, becomes U+FFFD.
type Appender interface{ AppendJSON(b []byte) []byte }

// InBody returns a record's fields in a request body, where the id is ignored.
func (n *Noun[T]) InBody() field.Fields[T] {
	return append(field.Fields[T]{field.Ignored[T](n.Key)}, n.Fields...)
}

// InFile returns a record's fields in a file, where the id is required.
func (n *Noun[T]) InFile() field.Fields[T] {
	fields := append(field.Fields[T]{field.Required(n.Key, n.ID, field.ID)}, n.Fields...)
	return append(fields, n.Stamped...)
}

// rows reads a noun's records from states.
type rows[T any] interface {
	// All yields all records of a state, in id order.
	All(*State) iter.Seq[T]
	deltas(s, base *State) iter.Seq[delta[T]]
	largest(*State) int64 // the largest id, or 0 if there is no record
	compact(*State)
}

// rowsOf implements rows for a table[R]. view converts a row to a record.
type rowsOf[R, T any] struct {
	*table[R]
	view  func(*R) T
	equal func(a, b T) bool
}

func (r rowsOf[R, T]) All(s *State) iter.Seq[T] {
	return func(yield func(T) bool) {
		r.of(s).each(func(row *R) bool { return yield(r.view(row)) })
	}
}

func (r rowsOf[R, T]) deltas(s, base *State) iter.Seq[delta[T]] {
	return deltas(r.of(base), r.of(s), r.view, r.equal)
}

func (r rowsOf[R, T]) largest(s *State) int64 { return r.of(s).largest() }
func (r rowsOf[R, T]) compact(s *State)       { r.of(s).compact() }

// whole is the view of a table whose rows are the records themselves.
func whole[T any](row *T) T { return *row }

// Since yields the changes from base to s, in id order: each added or changed record with
// its id, and the id of each removed record with nil. It omits an inventory entry whose quantity is
// unchanged, a new entry with quantity 0, and an entry that was removed with its pet.
func (n *Noun[T]) Since(s, base *State) iter.Seq2[int64, *T] {
	return func(yield func(int64, *T) bool) {
		for d := range n.deltas(s, base) {
			at, now := &d.after, &d.after
			if !d.inAfter {
				at, now = &d.before, nil
			}
			if (n.implied == nil || !n.implied(d)) && !yield(*n.ID(at), now) {
				return
			}
		}
	}
}

func (n *Noun[T]) differs(s, base *State) bool {
	for range n.deltas(s, base) {
		return true
	}
	return false
}

// raise raises the noun's counter in c to the largest id in s, unless the counter is larger.
func (n *Noun[T]) raise(c *Counters, s *State) {
	if n.Counter != nil {
		*n.Counter(c) = max(*n.Counter(c), n.largest(s))
	}
}

// compact compacts the noun's table, unless the table belongs to another noun.
func (n *Noun[T]) compact(s *State) {
	if n.Counter != nil {
		n.rows.compact(s)
	}
}

func appendInt(b []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(b, name...), n, 10)
}

func appendText(b []byte, name, text string) []byte {
	// The error only reports invalid UTF-8, which has become U+FFFD.
	b, _ = jsontext.AppendQuote(append(b, name...), text)
	return b
}
