package journal

import (
	"encoding/binary"
	"iter"
	"slices"
)

// These constants limit the memory of a journal. No entry exceeds maxEntry, so at least 250 entries
// fit, whatever clients send.
const (
	maxBytes      = 4 << 20
	chunkBytes    = 64 << 10
	smallestChunk = 2 << 10
	maxSets       = 16 // the maximum number of sets in a chunk that later entries can share
)

// tape stores entries in the order of their ids, which are consecutive. The zero tape is empty and
// uses no memory.
type tape struct {
	chunks []chunk
	newest int     // the position of the newest entry in the newest chunk
	n      int     // the number of entries
	bytes  int     // the size of the chunks
	sets   []place // distinct sets in the newest chunk
}

// place is the position of a set in its chunk, with the set's sum; see [set].
type place struct {
	sum uint64
	at  int
}

// chunk stores consecutive entries. An entry consists of its event id in 8 bytes, its header sets,
// and its text preceded by the length. A header set that equals one of the first maxSets different
// sets of the chunk is stored as the position of that set. Any other header set is stored as 0, its
// length and its headers. Chunks share no sets, so each chunk can be freed alone. Written bytes
// never change, so they can be read while others are appended.
type chunk struct {
	text  []byte
	begin int   // the offset in text of the first entry that has not been dropped
	first int64 // the id of the first entry
	n     int   // the number of entries
}

// find looks in the newest chunk for sets that equal those of the entry, and stores their positions
// in e.at. It must be called before full and push.
func (t *tape) find(e *encoded) {
	for i, set := range e.sets {
		for _, place := range t.sets {
			if place.sum == set.sum {
				e.at[i] = place.at
				break
			}
		}
	}
}

// push appends an entry. If the newest chunk is full, push adds a chunk. The caller must first make
// room for that chunk; see [Journal.makeRoomLocked].
func (t *tape) push(id, event int64, e *encoded) {
	if t.full(e) {
		text := make([]byte, 0, t.growth(e))
		t.bytes += cap(text)
		t.chunks = append(t.chunks, chunk{text: text, first: id})
		t.sets, e.at = t.sets[:0], [2]int{}
	}
	newest := &t.chunks[len(t.chunks)-1]
	t.newest = len(newest.text)
	shared := e.at
	newest.text = appendRecord(newest.text, event, e)
	newest.n++
	t.n++
	for i, at := range shared {
		if at == 0 && len(t.sets) < maxSets {
			t.sets = append(t.sets, place{e.sets[i].sum, e.at[i]})
		}
	}
}

// appendRecord appends an entry in the form that chunk describes. It sets the positions of the
// entry's new sets.
func appendRecord(b []byte, event int64, e *encoded) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(event))
	for i, set := range e.sets {
		b = binary.AppendUvarint(b, uint64(e.at[i]))
		if e.at[i] == 0 {
			e.at[i] = len(b)
			b = appendString(b, set.text)
		}
	}
	return appendString(b, e.text)
}

// cutRecord removes the first entry from *text, which is a part of chunk, and returns that entry.
// chunk may be nil if *text has no shared sets.
func cutRecord(text *[]byte, chunk []byte) (event int64, e encoded) {
	event = int64(binary.LittleEndian.Uint64(*text))
	*text = (*text)[8:]
	for i := range e.sets {
		if at := cutUvarint(text); at > 0 {
			shared := chunk[at:]
			e.sets[i].text = cutText(&shared)
		} else {
			e.sets[i].text = cutText(text)
		}
	}
	e.text = cutText(text)
	return event, e
}

// recordBytes returns an upper bound on the entry's size in the newest chunk.
func (e *encoded) recordBytes() int {
	n := 8 + binary.MaxVarintLen32 + len(e.text)
	for i, set := range e.sets {
		n += binary.MaxVarintLen32
		if e.at[i] == 0 {
			n += binary.MaxVarintLen32 + len(set.text)
		}
	}
	return n
}

// growth returns the size of the chunk that push allocates for the entry if the newest chunk is full.
// The first chunks are small, so a short journal needs little memory. Entries are not copied from
// small chunks to larger ones, because that would fragment the heap.
func (t *tape) growth(e *encoded) int {
	whole := encoded{text: e.text, sets: e.sets}
	return max(whole.recordBytes(), smallestChunk, min(chunkBytes, t.bytes/4/smallestChunk*smallestChunk))
}

// full reports whether the newest chunk has no room for the entry.
func (t *tape) full(e *encoded) bool {
	if len(t.chunks) == 0 {
		return true
	}
	newest := t.chunks[len(t.chunks)-1].text
	return len(newest)+e.recordBytes() > cap(newest)
}

// pop removes the oldest entry and returns its event id. When a chunk has no entries left, pop frees
// it.
func (t *tape) pop() (event int64) {
	oldest := &t.chunks[0]
	text := oldest.text[oldest.begin:]
	event, _ = cutRecord(&text, oldest.text)
	oldest.begin = len(oldest.text) - len(text)
	oldest.first++
	oldest.n--
	t.n--
	if oldest.n == 0 {
		t.bytes -= cap(oldest.text)
		t.chunks = slices.Delete(t.chunks, 0, 1)
	}
	return event
}

// oldest returns the id of the oldest entry, or 0.
func (t *tape) oldest() int64 {
	if t.n == 0 {
		return 0
	}
	return t.chunks[0].first
}

// last returns the newest entry, which must exist. id is its id. The entry shares memory with the
// tape.
func (t *tape) last(id int64) stored {
	newest := t.chunks[len(t.chunks)-1].text
	text := newest[t.newest:]
	event, e := cutRecord(&text, newest)
	return parse(id, event, e)
}

// view returns a snapshot of the entries, which stays readable while the tape changes.
func (t *tape) view() view { return slices.Clone(t.chunks) }

// view is a snapshot of a tape's entries.
type view []chunk

// since yields the entries with ids greater than id, oldest first.
func (v view) since(id int64) iter.Seq[stored] {
	return func(yield func(stored) bool) {
		for _, c := range v {
			if c.first+int64(c.n)-1 <= id {
				continue
			}
			next, text := c.first, c.text[c.begin:]
			for ; len(text) > 0; next++ {
				if event, e := cutRecord(&text, c.text); next > id && !yield(parse(next, event, e)) {
					return
				}
			}
		}
	}
}
