package store

import (
	"cmp"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// Noun describes a kind of record: its names, its fields and its rules. Nouns never change.
type Noun[T Appender] struct {
	Name   string // singular
	Plural string
	Key    string // the JSON name of the id
	ID     func(*T) *int64

	Fields  field.Fields[T] // the fields in requests and files, except the id
	Stamped field.Fields[T] // the fields that the server sets; files contain them, but requests do not

	// Counter returns a pointer to the noun's counter. A nil Counter means that each record is a
	// part of another noun's record: the two are in the same row, have the same id, and are created
	// and deleted together.
	Counter func(*Counters) *int64
	// check returns an error if the record refers to a missing record. It may accept a reference
	// that old has too. old is the previous version in an update, the record itself if it comes from
	// a file, and nil otherwise. A nil check means that records refer to no others.
	check func(s *State, old *T, record T) error
	// inUse returns an error if another record refers to the one with the id. A nil inUse means
	// that any record can be deleted.
	inUse func(s *State, id int64) error
	// implied reports whether differences of other nouns imply a difference, which files and counts
	// then omit. A nil implied means that none is implied.
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

// Create adds a record and returns it. If the record's id is 0, it gets the next id. If another
// record has the id, the new record replaces it; a category keeps its pets, and a pet its quantity.
// The error is [UnknownCategory], [UnknownPet], [Full] or [NoID]. Create panics if n has no Counter.
func (n *Noun[T]) Create(tx *Tx, record T) (T, error) { return n.add(tx, nil, record) }

// Restore is like Create, but for a record from a file. It accepts an order whose pet does not
// exist, because the pet may have been deleted after the order was made. For an inventory item,
// Restore is the same as [Noun.Update].
func (n *Noun[T]) Restore(tx *Tx, record T) (T, error) {
	if n.Counter == nil {
		return n.Update(tx, record)
	}
	return n.add(tx, &record, record)
}

func (n *Noun[T]) add(tx *Tx, old *T, record T) (T, error) {
	if n.check != nil {
		if err := n.check(tx.state, old, record); err != nil {
			return *new(T), err
		}
	}
	return n.create(tx, record, n.Counter(&tx.state.last))
}

// Update replaces the record that has the same id, and returns it. The error is [NotFound],
// [UnknownCategory] or [UnknownPet]. The status of an inventory item has no effect.
func (n *Noun[T]) Update(tx *Tx, record T) (T, error) {
	return n.update(tx, record, n.check)
}

// Delete deletes the record with the id. The error is [NotFound] or [CategoryInUse]. A pet's
// inventory item is deleted with it, but its orders keep their petId.
func (n *Noun[T]) Delete(tx *Tx, id int64) error {
	if n.inUse != nil {
		if err := n.inUse(tx.state, id); err != nil {
			return err
		}
	}
	return n.delete(tx, id)
}

// rows reads and writes a noun's records.
type rows[T any] interface {
	// All yields all records of a state, in id order.
	All(*State) iter.Seq[T]
	// Find returns the record with the id, or a [NotFound] error.
	Find(s *State, id int64) (T, error)
	// create adds the record, or replaces the one with its id. If the id is 0, the record gets the
	// next id after *last, the counter. create returns the record as stored. The error is [Full] or
	// [NoID].
	create(tx *Tx, record T, last *int64) (T, error)
	// update replaces the record that has the same id, and returns it as stored. The error is
	// [NotFound] or comes from check, whose second argument is the record that is replaced. check
	// may be nil.
	update(tx *Tx, record T, check func(*State, *T, T) error) (T, error)
	delete(tx *Tx, id int64) error // returns [NotFound] if there is no such record
	deltas(s, base *State) iter.Seq[delta[T]]
	// Largest returns the largest id, or 0 if there is no record.
	Largest(*State) int64
}

// rowsOf implements rows for a table[R].
type rowsOf[R, T any] struct {
	*table[R]
	view  func(*R) T        // converts a row to a record
	row   func(T) *R        // converts a record to a row
	keep  func(row, old *R) // copies from old, which row replaces, the fields that T does not set
	equal func(a, b T) bool
}

// wholeRows returns the rows of a table that stores the records themselves.
func wholeRows[T any](t *table[T], equal func(a, b T) bool) rows[T] {
	return rowsOf[T, T]{t, whole[T], func(record T) *T { return &record }, func(_, _ *T) {}, equal}
}

func whole[T any](row *T) T { return *row }

func (r rowsOf[R, T]) All(s *State) iter.Seq[T] {
	return func(yield func(T) bool) {
		r.of(s).each(func(row *R) bool { return yield(r.view(row)) })
	}
}

func (r rowsOf[R, T]) Find(s *State, id int64) (T, error) {
	row, err := r.find(s, id)
	if err != nil {
		return *new(T), err
	}
	return r.view(row), nil
}

func (r rowsOf[R, T]) create(tx *Tx, record T, last *int64) (T, error) {
	row := r.row(record)
	if err := tx.assign(r.id(row), last); err != nil {
		return *new(T), err
	}
	old, _ := r.of(tx.state).m.Get(*r.id(row))
	return r.set(tx, old, row), nil
}

func (r rowsOf[R, T]) update(tx *Tx, record T, check func(*State, *T, T) error) (T, error) {
	row := r.row(record)
	old, err := r.find(tx.state, *r.id(row))
	if err != nil {
		return *new(T), err
	}
	if check != nil {
		before := r.view(old)
		if err := check(tx.state, &before, record); err != nil {
			return *new(T), err
		}
	}
	return r.set(tx, old, row), nil
}

// set adds a row, or replaces old if that is not nil. It writes nothing if the record is unchanged.
func (r rowsOf[R, T]) set(tx *Tx, old, row *R) T {
	if old != nil {
		r.keep(row, old)
	}
	stored := r.view(row)
	if old == nil || !r.equal(r.view(old), stored) {
		r.put(tx, row)
	}
	return stored
}

func (r rowsOf[R, T]) Largest(s *State) int64 {
	id, _, _ := r.of(s).m.Max()
	return id
}

// Since yields the changes from base to s, in id order: each added or changed record with
// its id, and the id of each removed record with nil. It omits an inventory entry whose quantity is
// unchanged, a new entry with quantity 0, and an entry that was removed with its pet.
func (n *Noun[T]) Since(s, base *State) iter.Seq2[int64, *T] {
	return func(yield func(int64, *T) bool) {
		for d := range n.deltas(s, base) {
			if (n.implied == nil || !n.implied(d)) && !yield(*n.ID(cmp.Or(d.after, d.before)), d.after) {
				return
			}
		}
	}
}

// raise raises the noun's counter in c to the largest id in s, unless the counter is larger.
func (n *Noun[T]) raise(c *Counters, s *State) {
	if n.Counter != nil {
		*n.Counter(c) = max(*n.Counter(c), n.Largest(s))
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
