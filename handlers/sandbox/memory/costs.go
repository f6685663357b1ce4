package memory

// The bytes that are reserved for each kind of thing. What stays of it is measured afterwards, so a
// cost is an upper bound.
const (
	// A write, in addition to its body, and a write per byte of its body. The parts of a body that
	// are kept exist several times at first: the body, the values read from it, the record, the
	// journal entry and the event.
	Write        = 16 << 10
	WritePerByte = 4

	// An import per byte of its body, or per record if its records are shorter than any that the
	// server writes. ComingPerByte is enough while the body arrives: a buffer, which is then copied.
	ImportPerByte   = 6
	ImportPerRecord = 400
	ComingPerByte   = 2

	// A generated record takes at least LeastFake, and Fake while it is made.
	Fake      = 400
	LeastFake = 100

	// A response in parts: a part, the next record, and the growth of their buffers.
	Parts = 64 << 10
	// An event stream, and a try of a webhook.
	Stream = 64 << 10
	Try    = 64 << 10
	// A new sandbox, including the journal of its first requests.
	Sandbox = 8 << 10
)
