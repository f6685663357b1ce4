package journal

import (
	"encoding/binary"
	"iter"
)

// Found is what is in a journal.
type Found struct {
	Entries []Entry // that match, as many as were asked for
	Matched int     // how many match
	Dropped uint64  // entries that there was no room for any more
	Oldest  int64   // id of the oldest entry; 0: there is none
}

// Find returns the entries that match, oldest first, at most limit of them.
func (j *Journal) Find(f Filter, limit int) Found {
	s, _ := j.Select(f, limit, false, nil)
	found := Found{Entries: make([]Entry, 0, s.Len), Matched: s.Matched, Dropped: s.Dropped, Oldest: s.Oldest}
	for entry := range s.Entries() {
		found.Entries = append(found.Entries, *entry)
	}
	return found
}

// Selection is what was chosen of a journal. It holds the entries as flat text of their
// own, a fifth of what they take once they are read, so that who hands them out slowly holds
// little, and nothing of the journal.
type Selection struct {
	Len     int    // entries that were chosen
	Matched int    // how many match
	Dropped uint64 // entries that there was no room for any more
	Oldest  int64  // id of the oldest entry of the journal; 0: there is none

	texts []byte // of the chosen ones, each behind its id and its length
}

// Select chooses the entries that match, at most limit of them: the first ones, oldest
// first, or the last ones, newest first. Before it copies them it calls reserve, unless that
// is nil, with the bytes that they take, whose error it returns.
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
		entry := chosen.at(i)
		s.texts = binary.AppendUvarint(s.texts, uint64(entry.id))
		s.texts = binary.AppendUvarint(s.texts, uint64(len(entry.text)))
		s.texts = append(s.texts, entry.text...)
	}
	return s, nil
}

// selectedSize returns at most how many bytes an entry takes in a selection.
func selectedSize(s stored) int { return binary.MaxVarintLen64 + binary.MaxVarintLen32 + len(s.text) }

// Entries returns the entries, each made when it is asked for.
func (s *Selection) Entries() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for texts := s.texts; len(texts) > 0; {
			id := int64(cutUvarint(&texts))
			if !yield(read(id, cutText(&texts)).entry()) {
				return
			}
		}
	}
}
