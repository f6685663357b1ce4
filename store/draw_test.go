package store

import "math"

// next reads a number from 0 to n-1 off the tape; after its end they are 0.
func (d *driver) next(n int) int {
	if len(d.tape) == 0 {
		return 0
	}
	b := d.tape[0]
	d.tape = d.tape[1:]
	return int(b) % n
}

func (d *driver) bool() bool { return d.next(2) == 1 }

// id returns an id that usually may exist.
func (d *driver) id() int64 { return int64(1 + d.next(48)) }

func (d *driver) categoryID() int64 { return int64(1 + d.next(7)) }

// newID usually leaves the choice of the id to the store.
func (d *driver) newID() int64 {
	if d.next(8) == 0 {
		return d.id()
	}
	return 0
}

func (d *driver) name() string { return pick(d, "Rex", "rexy", "Tom", "Émile", "émile", "tomtom") }

func (d *driver) status() PetStatus { return statuses[d.next(len(statuses))] }

func pick[T any](d *driver, values ...T) T { return values[d.next(len(values))] }

// maybe returns a pointer to a value, or nil.
func maybe[T any](d *driver, value func() T) *T {
	if d.bool() {
		return new(value())
	}
	return nil
}

// some returns up to four values, possibly with duplicates.
func some[T any](d *driver, value func() T) []T {
	var values []T
	for range max(0, d.next(8)-3) {
		values = append(values, value())
	}
	return values
}

func paging[T Appender](d *driver, n *Noun[T]) Paging {
	return Paging{
		Sort:   Sort{Field: pick(d, append(n.InFile().Names(), "")...), Desc: d.bool()},
		Offset: pick(d, 0, 0, d.next(24), math.MaxInt),
		Limit:  pick(d, 0, d.next(9), math.MaxInt),
	}
}
