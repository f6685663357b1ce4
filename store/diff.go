package store

// Changes are the differences of one kind of record. No slice is nil.
type Changes[T any] struct {
	Added   []T         `json:"added"`
	Changed []Change[T] `json:"changed"`
	Removed []T         `json:"removed"`
}

// Change is one record before and after.
type Change[T any] struct {
	Before T `json:"before"`
	After  T `json:"after"`
}

// changes merges two tables, which are in id order both. What a record is told as
// is its view.
func changes[R, T any](before, after *tree[*R], view func(*R) T, equal func(a, b T) bool) Changes[T] {
	c := Changes[T]{Added: []T{}, Changed: []Change[T]{}, Removed: []T{}}
	old, now := before.m.Iter(), after.m.Iter()
	hasOld, hasNow := old.First(), now.First()
	for hasOld || hasNow {
		switch {
		case !hasOld || hasNow && now.Key() < old.Key():
			c.Added = append(c.Added, view(now.Value()))
			hasNow = now.Next()
		case !hasNow || old.Key() < now.Key():
			c.Removed = append(c.Removed, view(old.Value()))
			hasOld = old.Next()
		default:
			if old.Value() != now.Value() { // the same record where nobody wrote
				if a, b := view(old.Value()), view(now.Value()); !equal(a, b) {
					c.Changed = append(c.Changed, Change[T]{Before: a, After: b})
				}
			}
			hasOld, hasNow = old.Next(), now.Next()
		}
	}
	return c
}

func same[T comparable](a, b T) bool { return a == b }

func sameCategory(a, b Category) bool {
	if a.Description != nil && b.Description != nil && *a.Description == *b.Description {
		a.Description = b.Description
	}
	return a == b
}

func sameMessage(a, b Message) bool {
	return a.ID == b.ID && a.Message == b.Message && a.CreatedAt.Equal(b.CreatedAt)
}
