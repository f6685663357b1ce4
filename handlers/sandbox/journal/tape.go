package journal

import (
	"encoding/binary"
	"iter"
	"sync/atomic"
)

// Bounds of a journal's memory. No entry exceeds maxEntry, so at least 250 entries fit whatever
// clients send.
const (
	maxBytes      = 4 << 20
	chunkBytes    = 64 << 10
	smallestChunk = 2 << 10
)

// tape holds entries in the order of their consecutive ids. The zero tape is empty and has no
// memory.
type tape struct {
	chunks queue[chunk]
	gone   int // entries of the oldest chunk that have been removed
	begin  int // where the oldest entry begins in the oldest chunk
	newest int // where the newest entry begins in the newest chunk
	n      int // entries
	bytes  int // of memory

	readers atomic.Int64 // views not yet released; while there are any, no memory is reused
	spare   []byte       // a removed chunk for reuse, or nil
}

// chunk holds consecutive entries, each after its length. Written bytes never change, so others may
// read them while more is appended.
type chunk struct {
	text  []byte
	first int64 // the id of the first entry
	n     int   // entries
}

// push appends an entry. There must be room for it.
func (t *tape) push(id int64, entry []byte) {
	grow := t.growth(entry)
	if t.full(binary.MaxVarintLen32 + len(entry)) {
		text := t.spare
		if t.spare = nil; text == nil {
			text = make([]byte, 0, grow)
		}
		t.chunks.push(chunk{text: text, first: id})
	}
	t.bytes += grow
	newest := t.chunks.at(t.chunks.n - 1)
	t.newest = len(newest.text)
	newest.text = binary.AppendUvarint(newest.text, uint64(len(entry)))
	newest.text = append(newest.text, entry...)
	newest.n++
	t.n++
}

// growth returns the memory that push would allocate for the entry: a chunk's or none. The first
// chunks are small, so a short journal takes little. They are not copied to larger ones, which
// would fragment the heap.
func (t *tape) growth(entry []byte) int {
	need := binary.MaxVarintLen32 + len(entry)
	if !t.full(need) || t.spare != nil {
		return 0
	}
	return max(need, smallestChunk, min(chunkBytes, t.bytes/4/smallestChunk*smallestChunk))
}

// full reports whether the newest chunk lacks room for need bytes.
func (t *tape) full(need int) bool {
	if t.chunks.n == 0 {
		return true
	}
	newest := t.chunks.at(t.chunks.n - 1).text
	return len(newest)+need > cap(newest)
}

// hasRoom reports whether an entry fits within the journal's bounds.
func (t *tape) hasRoom(entry []byte) bool {
	return t.bytes+chunkBytes <= maxBytes || t.spare != nil || !t.full(binary.MaxVarintLen32+len(entry))
}

// pop removes the oldest entry and returns it. It is valid until the next push. Its memory is freed
// with the last entry of its chunk.
func (t *tape) pop() (entry []byte) {
	oldest := t.chunks.at(0)
	text := oldest.text[t.begin:]
	entry = cutText(&text)
	t.begin = len(oldest.text) - len(text)
	t.gone++
	t.n--
	if t.gone == oldest.n {
		t.gone, t.begin = 0, 0
		if text := t.chunks.pop().text; t.readers.Load() == 0 && cap(text) == chunkBytes {
			t.bytes -= cap(t.spare)
			t.spare = text[:0]
		} else {
			t.bytes -= cap(text)
		}
	}
	return entry
}

// reset removes all entries.
func (t *tape) reset() {
	t.chunks, t.gone, t.begin, t.newest, t.n, t.bytes, t.spare = queue[chunk]{}, 0, 0, 0, 0, 0, nil
}

// oldest returns the id of the oldest entry, or 0.
func (t *tape) oldest() int64 {
	if t.n == 0 {
		return 0
	}
	return t.chunks.at(0).first + int64(t.gone)
}

// last returns the newest entry, which must exist. It is valid until the next push.
func (t *tape) last() (entry []byte) {
	text := t.chunks.at(t.chunks.n - 1).text[t.newest:]
	return cutText(&text)
}

// view returns the current entries for reading while the tape changes. It must be released.
func (t *tape) view() view {
	t.readers.Add(1)
	v := view{tape: t, chunks: make([]chunk, t.chunks.n), gone: t.gone, begin: t.begin, n: t.n}
	for i := range v.chunks {
		v.chunks[i] = *t.chunks.at(i)
	}
	return v
}

// view has the entries of a tape at one moment.
type view struct {
	tape        *tape
	chunks      []chunk
	gone, begin int
	n           int // entries
}

func (v *view) release() { v.tape.readers.Add(-1) }

// since yields the entries with ids greater than id, oldest first.
func (v *view) since(id int64) iter.Seq[stored] {
	return func(yield func(stored) bool) {
		for i, c := range v.chunks {
			if c.first+int64(c.n)-1 <= id {
				continue
			}
			next := c.first
			if i == 0 {
				next += int64(v.gone)
				c.text = c.text[v.begin:]
			}
			for ; len(c.text) > 0; next++ {
				entry := cutText(&c.text)
				if next > id && !yield(read(next, entry)) {
					return
				}
			}
		}
	}
}

// queue is a first-in-first-out queue in a circular buffer that grows as needed. The zero queue is
// empty and has no buffer.
type queue[T any] struct {
	items []T // the length is 0 or a power of two
	head  int // the index of the oldest value
	n     int
}

const smallestQueue = 8

// at returns the i-th value, counting from the oldest.
func (q *queue[T]) at(i int) *T { return &q.items[(q.head+i)&(len(q.items)-1)] }

func (q *queue[T]) push(v T) {
	if q.n == len(q.items) {
		q.grow()
	}
	q.n++
	*q.at(q.n - 1) = v
}

// pop removes the oldest value.
func (q *queue[T]) pop() T {
	oldest := q.at(0)
	v := *oldest
	*oldest = *new(T) // so that the buffer does not keep it alive
	q.head = (q.head + 1) & (len(q.items) - 1)
	q.n--
	return v
}

func (q *queue[T]) grow() {
	items := make([]T, max(smallestQueue, 2*len(q.items)))
	n := copy(items, q.items[q.head:])
	copy(items[n:], q.items[:q.head])
	q.items, q.head = items, 0
}
