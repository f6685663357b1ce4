package rest

import (
	"bytes"
	"errors"
	"net/http"

	"example.com/petstore/handlers/sandbox/memory"
)

// What a write may need of the memory, as far as its body tells: the parts of it that are
// kept are kept several times at first (the body, what is read of it, the record, its
// entries in the journal and in the events).
const (
	writeBytes   = 16 << 10 // besides the body
	bytesPerByte = 4        // of the body, except that of an import
)

// What an import may need of the memory: for each byte of its body, or for each of its records
// where those are shorter than any that is written out. While its body comes, it needs less.
const (
	importPerByte   = 6
	importPerRecord = 400
	importComing    = 2 // for each byte that there is room for, in a buffer that grows
)

// Reserve promises memory to the request until its end, or returns a [memory.Full].
func (x *Exchange) Reserve(n int64) error {
	if err := x.Memory.ReserveMore(n, x.reserved); err != nil {
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

// checkLength returns a [memory.Full] if the server could never take a body of so many bytes,
// so that it need not be sent.
func (x *Exchange) checkLength(n int64) error {
	if x.Operation == nil || !x.Operation.Takes().Import {
		return nil
	}
	return perByte(x.Memory.CanHold(n * importPerByte))
}

// reserveBody is Reserve for n more bytes of the request's body, before they are read.
func (x *Exchange) reserveBody(n int64) error {
	op := x.Operation
	switch {
	case op == nil || !op.Keeps():
		return nil // its body, if any, is small
	case op.Takes().Import:
		return perByte(x.Reserve(n * importComing))
	}
	return x.Reserve(writeBytes + n*bytesPerByte)
}

// ReserveImport is Reserve for what the import needs once its body is there.
func (x *Exchange) ReserveImport() error {
	if !x.Operation.Takes().Import {
		return nil
	}
	text, records := importPerByte*int64(len(x.body)), importPerRecord*int64(bytes.Count(x.body, []byte("{")))
	if more := records - x.reserved; records > text && more > 0 {
		return x.Reserve(more)
	}
	return perByte(x.Reserve(max(0, text-x.reserved)))
}

// perByte lets a [memory.Full] say how long the body of an import can be.
func perByte(err error) error {
	if full, ok := errors.AsType[memory.Full](err); ok {
		full.PerByte = importPerByte
		return full
	}
	return err
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
