package rest

import (
	"bytes"
	"net/http"
)

// What a write may need of the memory, as far as its body tells: the parts of it that are
// kept are kept several times at first (the body, what is read of it, the record, its
// entries in the journal and in the events).
const (
	writeBytes   = 16 << 10 // besides the body
	bytesPerByte = 4        // of the body, unless the operation says otherwise
)

// Reserve promises memory to the request until its end, or returns a [memory.Full].
func (x *Exchange) Reserve(n int64) error {
	if err := x.Memory.Reserve(n); err != nil {
		return err
	}
	x.reserved += n
	return nil
}

// Answers of up to PieceBytes are as good as sent once they are written. Longer ones are
// held until the client takes them, in parts where they are longer still.
const (
	partsBytes  = 64 << 10 // what an answer in parts holds: a part, the record that follows, and how their buffers grow
	streamBytes = 64 << 10 // the same of a stream of events
)

// Hold promises the n bytes of memory that the answer to a read holds until it is taken, or
// returns a [memory.Full]. The few of a short answer need no promise.
func (x *Exchange) Hold(n int64) error {
	if n <= PieceBytes || x.R.Method != http.MethodGet && x.R.Method != http.MethodHead {
		return nil // what is done is done, and has its own promise
	}
	return x.HoldAnswer(n)
}

// HoldAnswer promises the n bytes of memory that an answer holds, or returns a [memory.Full].
// It is for those that can still refuse the request.
func (x *Exchange) HoldAnswer(n int64) error {
	if err := x.Memory.ReserveAnswer(n); err != nil {
		return err
	}
	x.held += n
	return nil
}

// heldBy returns the bytes that an answer in the buffer holds. A short one may be in a buffer
// that a longer one has left.
func heldBy(answer *bytes.Buffer) int64 {
	if answer.Len() <= PieceBytes {
		return int64(answer.Len())
	}
	return int64(answer.Cap())
}

// ReserveWrite is Reserve for a request that leaves something behind and has no body.
func (x *Exchange) ReserveWrite() error {
	if !x.Operation.Keeps() || x.Operation.Takes().Max > 0 {
		return nil
	}
	return x.Reserve(writeBytes)
}

// reserveBody is Reserve for n bytes of the request's body, before they are read.
func (x *Exchange) reserveBody(n int64) error {
	op := x.Operation
	if op == nil || !op.Keeps() {
		return nil // its body, if any, is small
	}
	if takes := op.Takes(); takes.Needs > 0 {
		return x.Reserve(n * takes.Needs)
	}
	return x.Reserve(writeBytes + n*bytesPerByte)
}

// End ends what the exchange began. It must be called once its answer has ended.
func (x *Exchange) End() {
	if x.reserved > 0 {
		x.Memory.Release(x.reserved)
		x.reserved = 0
	}
	if x.held > 0 {
		x.Memory.ReleaseAnswer(x.held)
		x.held = 0
	}
}
