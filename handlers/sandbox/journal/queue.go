package journal

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
