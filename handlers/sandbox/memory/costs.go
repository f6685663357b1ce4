package memory

// These are the numbers of bytes to reserve for each purpose. They are upper bounds. A bound that
// is too high matters only for a short time, because the memory that stays in use is measured
// later.
const (
	// Write is for a write without its body, and WritePerByte for each byte of its body. Parts of a
	// body are in memory several times: in the body, in the values read from it, in the record, in
	// the journal entry and in the event.
	Write        = 16 << 10
	WritePerByte = 4

	// An import needs ImportPerByte for each byte of its body or ImportPerRecord for each record,
	// whichever is more. ReceivePerByte is for each byte of a body that is being received into a
	// buffer and then copied.
	ImportPerByte   = 6
	ImportPerRecord = 400
	ReceivePerByte  = 2

	// Fake is for generating one record. MinFake is not an upper bound, but the minimum size of a
	// generated record.
	Fake    = 400
	MinFake = 100

	// Parts is for a response that is written in parts: a part, the next record, and the growth of
	// their buffers.
	Parts = 64 << 10
	// Stream is for an event stream, and Try for an attempt to deliver to a webhook.
	Stream = 64 << 10
	Try    = 64 << 10
	// File is for sending an embedded file: a decompressor and a buffer.
	File = 96 << 10
	// MessagePerByte is for each byte of an agent's message or of a tool's result. It covers the
	// message or the result, the strings made from it, and the encoded response.
	MessagePerByte = 8
	// Sandbox is for a new sandbox, including the journal of its first requests.
	Sandbox = 8 << 10
)
