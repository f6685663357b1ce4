package journal

import (
	"encoding/binary"
	"iter"
)

// Found is the result of a search in a journal.
type Found struct {
	Entries []Entry // matching entries, up to the limit
	Matched int     // the number of matching entries
	Dropped uint64  // entries dropped for lack of room
	Oldest  int64   // the id of the oldest entry, or 0
}

// Find returns the matching entries, oldest first, at most limit of them.
func (j *Journal) Find(f Filter, limit int) Found {
	s, _ := j.Select(f, limit, false, nil)
	found := Found{Entries: make([]Entry, 0, s.Len), Matched: s.Matched, Dropped: s.Dropped, Oldest: s.Oldest}
	for entry := range s.Entries() {
		found.Entries = append(found.Entries, *entry)
	}
	return found
}

// Selection is a copy of selected entries as flat text. That takes a fifth of the memory of parsed
// entries, so a slow reader holds little, and nothing of the journal.
type Selection struct {
	Len     int    // selected entries
	Matched int    // matching entries
	Dropped uint64 // entries dropped for lack of room
	Oldest  int64  // the id of the journal's oldest entry, or 0

	texts []byte // the selected entries, each after its id and length
}

// Select copies the matching entries, at most limit of them: the first ones, oldest first, or the
// last ones, newest first. reserve, if not nil, is called first with the memory that they take;
// Select returns its error.
func (j *Journal) Select(f Filter, limit int, newest bool, reserve func(bytes int64) error) (*Selection, error) {
	j.mu.Lock()
	s := &Selection{Dropped: j.dropped, Oldest: j.entries.oldest()}
	view := j.entries.view()
	j.mu.Unlock()
	defer view.release()
	var chosen queue[stored]
	size := 0
	for entry := range view.since(f.Since) {
		if !f.matches(entry) {
			continue
		}
		s.Matched++
		if chosen.n == limit {
			if !newest || limit == 0 {
				continue
			}
			size -= selectedSize(chosen.pop())
		}
		chosen.push(entry)
		size += selectedSize(entry)
	}
	if reserve != nil {
		if err := reserve(int64(size)); err != nil {
			return nil, err
		}
	}
	s.Len = chosen.n
	s.texts = make([]byte, 0, size)
	for i := range chosen.n {
		if newest {
			i = chosen.n - 1 - i
		}
		entry := *chosen.at(i)
		s.texts = binary.AppendUvarint(s.texts, uint64(entry.id))
		s.texts = appendRecord(s.texts, entry.event, &entry.encoded)
	}
	return s, nil
}

// selectedSize bounds the bytes of an entry in a selection.
func selectedSize(s stored) int { return binary.MaxVarintLen64 + s.recordBytes() }

// Entries yields the entries, parsing each on demand.
func (s *Selection) Entries() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for texts := s.texts; len(texts) > 0; {
			id := int64(cutUvarint(&texts))
			if event, e := cutRecord(&texts, nil); !yield(parse(id, event, e).entry()) {
				return
			}
		}
	}
}
