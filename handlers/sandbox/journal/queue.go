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
