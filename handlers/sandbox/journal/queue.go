package journal

// queue holds values in the order of their coming, in one circular piece of
// memory that grows as it has to. The zero queue is empty and holds no memory.
type queue[T any] struct {
	items []T // its length is 0 or a power of two
	head  int // index of the oldest
	n     int
}

const smallestQueue = 8

// at returns the i-th value, the oldest being the 0th.
func (q *queue[T]) at(i int) *T { return &q.items[(q.head+i)&(len(q.items)-1)] }

func (q *queue[T]) push(v T) {
	if q.n == len(q.items) {
		q.grow()
	}
	q.n++
	*q.at(q.n - 1) = v
}

// pop takes the oldest value away.
func (q *queue[T]) pop() T {
	oldest := q.at(0)
	v := *oldest
	*oldest = *new(T) // it must not keep alive what it refers to
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

// tape holds bytes in the order of their coming, in one circular piece of memory
// that grows as it has to. A byte's position never changes: positions count up
// over all the bytes that there ever were. The zero tape is empty and holds no
// memory.
type tape struct {
	buf        []byte // its length is 0 or a power of two
	start, end uint64 // positions of the first byte that is kept, and behind the last
}

const smallestTape = 1 << 10

// write adds bytes behind the last.
func (t *tape) write(p []byte) {
	for t.end-t.start+uint64(len(p)) > uint64(len(t.buf)) {
		t.grow()
	}
	t.put(t.end, p)
	t.end += uint64(len(p))
}

// from returns a copy of all bytes from a position on.
func (t *tape) from(position uint64) []byte {
	p := make([]byte, t.end-position)
	if len(p) > 0 {
		n := copy(p, t.buf[position&uint64(len(t.buf)-1):])
		copy(p[n:], t.buf)
	}
	return p
}

func (t *tape) put(position uint64, p []byte) {
	if len(p) > 0 {
		n := copy(t.buf[position&uint64(len(t.buf)-1):], p)
		copy(t.buf, p[n:])
	}
}

func (t *tape) grow() {
	kept := t.from(t.start)
	t.buf = make([]byte, max(smallestTape, 2*len(t.buf)))
	t.put(t.start, kept)
}
