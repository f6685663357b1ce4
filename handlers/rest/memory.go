package rest

import (
	"bytes"
	"errors"
	"net/http"

	"example.com/petstore/handlers/sandbox/memory"
)

// reservation is the memory that a request has reserved for itself and for its response, in bytes.
type reservation struct {
	request int64
	answer  int64 // see [Exchange.Hold]
}

// Reserve reserves memory until the end of the request, or returns a [memory.Full].
func (x *Exchange) Reserve(n int64) error {
	if err := x.Memory.ReserveMore(n, x.reserved.request); err != nil {
		return err
	}
	x.reserved.request += n
	return nil
}

// Hold reserves the memory that the response to a read holds until the client has received it, or
// returns a [memory.Full]. A response of up to PieceBytes counts as sent when it is written. A longer
// one is held until the client has received it; a still longer one is held in parts.
func (x *Exchange) Hold(n int64) error {
	if n <= PieceBytes || x.R.Method != http.MethodGet && x.R.Method != http.MethodHead {
		return nil // a write has been carried out and has its own reservation
	}
	return x.HoldAnswer(n)
}

// HoldAnswer reserves the memory that a response holds, or returns a [memory.Full]. It is for
// operations that can still refuse the request.
func (x *Exchange) HoldAnswer(n int64) error {
	if err := x.Memory.ReserveAnswer(n); err != nil {
		return err
	}
	x.reserved.answer += n
	return nil
}

// heldBy returns the memory that the response in a buffer holds. A short response may be in a
// buffer that a longer one has left.
func heldBy(answer *bytes.Buffer) int64 {
	if answer.Len() <= PieceBytes {
		return int64(answer.Len())
	}
	return int64(answer.Cap())
}

// ReserveWrite is a link that reserves memory for a write without a body. Reading a body reserves
// memory according to its length.
func ReserveWrite(op *Operation, next Handler) Handler {
	if !op.Keeps() || op.Takes().Max > 0 {
		return next
	}
	return Before(func(x *Exchange) error { return x.Reserve(memory.Write) }, next)
}

// checkLength returns a [memory.Full] if the server can never take a body of this length, so that
// the client need not send it.
func (x *Exchange) checkLength(n int64) error {
	if !x.imports() {
		return nil
	}
	return perByte(x.Memory.CanHold(n*memory.ImportPerByte), memory.ImportPerByte)
}

func (x *Exchange) imports() bool { return x.Operation != nil && x.Operation.Takes().Import }

// reserveBody reserves memory for the body, of which read bytes have arrived, before more bytes of
// it are read.
func (x *Exchange) reserveBody(read, more int64) error {
	switch {
	case x.imports():
		return perByte(x.reserveImport(read, (read+more)*memory.ComingPerByte), memory.ImportPerByte)
	case x.Operation == nil || !x.Operation.Keeps():
		return nil // its body, if any, is small
	}
	return x.Reserve(memory.Write + more*memory.WritePerByte)
}

// ReserveImport reserves what an import needs after its body has arrived.
func (x *Exchange) ReserveImport() error {
	if !x.imports() {
		return nil
	}
	body := int64(len(x.body.whole))
	needs := max(memory.ImportPerByte*body, memory.ImportPerRecord*int64(bytes.Count(x.body.whole, []byte("{"))))
	return perByte(x.reserveImport(body, needs-body), (needs+body-1)/max(1, body))
}

// reserveImport reserves n bytes in addition to the part of the body that has arrived, in place of
// the previous reservation. What stays of that is this part, so it counts once.
func (x *Exchange) reserveImport(body, n int64) error {
	x.Memory.Release(x.reserved.request)
	x.reserved.request = 0
	err := x.Reserve(n)
	if full, ok := errors.AsType[memory.Full](err); ok {
		full.Needs, full.Free, full.Most = full.Needs+body, full.Free+body, full.Most+body
		return full
	}
	return err
}

// perByte makes a [memory.Full] report how long the body of an import can be that needs n bytes for
// each of its own.
func perByte(err error, n int64) error {
	if full, ok := errors.AsType[memory.Full](err); ok {
		full.PerByte = n
		return full
	}
	return err
}

// End releases what the exchange holds. It must be called when the response has ended.
func (x *Exchange) End() {
	if x.reserved.request > 0 {
		x.Memory.Release(x.reserved.request)
		x.reserved.request = 0
	}
	if x.reserved.answer > 0 {
		x.Memory.ReleaseAnswer(x.reserved.answer)
		x.reserved.answer = 0
	}
}
