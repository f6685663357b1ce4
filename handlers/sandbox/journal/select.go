package journal

import (
	"encoding/binary"
	"iter"
	"math"
	"slices"
)

// Find returns the matching entries, oldest first.
func (j *Journal) Find(f Filter) []Entry {
	s, _ := j.Select(f, math.MaxInt, false, nil) // without reserve, Select cannot fail
	entries := make([]Entry, 0, s.Len)
	for entry := range s.Entries() {
		entries = append(entries, *entry)
	}
	return entries
}

// Selection is a copy of the selected entries as text. The copy uses about a fifth of the memory
// that parsed entries would use. So a slow reader holds little memory, and keeps none of the
// journal's memory in use.
type Selection struct {
	Len     int    // the number of selected entries
	Matched int    // the number of matching entries
	Dropped uint64 // the number of entries dropped to make room
	Oldest  int64  // the id of the journal's oldest entry, or 0

	texts  []byte                 // the selected entries, each preceded by its id
	undone func(state int64) bool // see [Journal.Undone]
}

// Select copies at most limit matching entries: the first ones, oldest first, or, if newest is
// true, the last ones, newest first. If reserve is not nil, Select calls it before copying, with
// the size of the copy, and returns its error.
func (j *Journal) Select(f Filter, limit int, newest bool, reserve func(bytes int64) error) (*Selection, error) {
	j.mu.Lock()
	s := &Selection{Dropped: j.dropped, Oldest: j.entries.oldest(), undone: j.Undone}
	view := j.entries.view()
	j.mu.Unlock()
	var chosen []stored
	size := 0
	for entry := range view.since(f.Since) {
		if !f.matches(entry) {
			continue
		}
		s.Matched++
		if len(chosen) == limit {
			if !newest || limit == 0 {
				continue
			}
			size -= selectedSize(chosen[0])
			chosen = chosen[1:]
		}
		chosen = append(chosen, entry)
		size += selectedSize(entry)
	}
	if reserve != nil {
		if err := reserve(int64(size)); err != nil {
			return nil, err
		}
	}
	if newest {
		slices.Reverse(chosen)
	}
	s.Len = len(chosen)
	s.texts = make([]byte, 0, size)
	for _, entry := range chosen {
		s.texts = binary.AppendUvarint(s.texts, uint64(entry.id))
		s.texts = appendRecord(s.texts, entry.event, &entry.encoded)
	}
	return s, nil
}

// selectedSize returns an upper bound on an entry's size in a selection.
func selectedSize(s stored) int { return binary.MaxVarintLen64 + s.recordBytes() }

// Entries yields the entries. It parses each on demand.
func (s *Selection) Entries() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for texts := s.texts; len(texts) > 0; {
			id := int64(cutUvarint(&texts))
			if event, e := cutRecord(&texts, nil); !yield(parse(id, event, e).entry(s.undone)) {
				return
			}
		}
	}
}
