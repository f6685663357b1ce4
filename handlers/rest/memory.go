package rest

import (
	"bytes"
	"errors"
	"net/http"

	"example.com/petstore/handlers/sandbox/memory"
)

// reservation is how much memory a request has reserved for itself and for its response, in bytes.
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

// Hold reserves n bytes for the response to a read until the client has received it, or returns a
// [memory.Full]. A response of up to PieceBytes needs no reservation, because it counts as sent
// once it is written.
func (x *Exchange) Hold(n int64) error {
	if n <= PieceBytes || x.R.Method != http.MethodGet && x.R.Method != http.MethodHead {
		return nil // a write has already run, with its own reservation
	}
	return x.HoldAnswer(n)
}

// HoldAnswer is like [Exchange.Hold], but for a response of any size to a request with any method.
// The operation must still be able to refuse the request.
func (x *Exchange) HoldAnswer(n int64) error {
	if err := x.Memory.ReserveAnswer(n); err != nil {
		return err
	}
	x.reserved.answer += n
	return nil
}

// heldBy returns how many bytes a buffered response occupies. For a short response this is its
// length, because its buffer may have been enlarged by an earlier response.
func heldBy(answer *bytes.Buffer) int64 {
	if answer.Len() <= PieceBytes {
		return int64(answer.Len())
	}
	return int64(answer.Cap())
}

// ReserveWrite is a link that reserves memory for a write without a body. Other writes reserve
// memory when they read their bodies.
func ReserveWrite(op *Operation, next Handler) Handler {
	if !op.Keeps() || op.Takes().Max > 0 {
		return next
	}
	return Before(func(x *Exchange) error { return x.Reserve(memory.Write) }, next)
}

// checkLength returns a [memory.Full] if the server can never accept a body of n bytes, so that the
// client need not send it.
func (x *Exchange) checkLength(n int64) error {
	if !x.imports() {
		return nil
	}
	return perByte(x.Memory.CanHold(n*memory.ImportPerByte), memory.ImportPerByte)
}

func (x *Exchange) imports() bool { return x.Operation != nil && x.Operation.Takes().Import }

// reserveBody reserves memory for more bytes of the body, after read bytes have arrived.
func (x *Exchange) reserveBody(read, more int64) error {
	switch {
	case x.imports():
		return perByte(x.reserveImport(read, (read+more)*memory.ReceivePerByte), memory.ImportPerByte)
	case x.Operation == nil || !x.Operation.Keeps():
		return nil // the body, if any, is small
	}
	return x.Reserve(memory.Write + more*memory.WritePerByte)
}

// ReserveImport reserves the memory that an import needs once its body has arrived.
func (x *Exchange) ReserveImport() error {
	if !x.imports() {
		return nil
	}
	body := int64(len(x.body.whole))
	needs := max(memory.ImportPerByte*body, memory.ImportPerRecord*int64(bytes.Count(x.body.whole, []byte("{"))))
	return perByte(x.reserveImport(body, needs-body), (needs+body-1)/max(1, body))
}

// reserveImport replaces the previous reservation with one of n bytes. n excludes the part of the
// body that has arrived: it still counts as in use, because only half of the previous reservation
// is freed at once.
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

// perByte sets PerByte of a [memory.Full] to n, the bytes of memory per byte of an import's body.
// The error then reports how long the body may be.
func perByte(err error, n int64) error {
	if full, ok := errors.AsType[memory.Full](err); ok {
		full.PerByte = n
		return full
	}
	return err
}

// End releases the memory that the exchange has reserved. It must be called when the response has
// ended.
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
