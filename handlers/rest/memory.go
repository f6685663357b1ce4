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

// Reserve reserves n bytes until the end of the request. If there is not enough memory, it returns
// a [memory.Full].
func (x *Exchange) Reserve(n int64) error {
	if err := x.Memory.Reserve(n, x.reserved.request); err != nil {
		return err
	}
	x.reserved.request += n
	return nil
}

// Hold reserves n bytes for the response to a read until the client has received the response. If
// there is not enough memory, it returns a [memory.Full]. A response of at most PieceBytes needs no
// reservation, because the kernel's send buffer can usually hold it.
func (x *Exchange) Hold(n int64) error {
	if n <= PieceBytes || x.R.Method != http.MethodGet && x.R.Method != http.MethodHead {
		return nil // a write has its own reservation and has already run
	}
	return x.HoldAnswer(n)
}

// HoldAnswer is like [Exchange.Hold], but reserves memory for any size and any method. It must be
// called while the operation can still refuse the request.
func (x *Exchange) HoldAnswer(n int64) error {
	if err := x.Memory.ReserveAnswer(n); err != nil {
		return err
	}
	x.reserved.answer += n
	return nil
}

// ReserveEach reserves the memory that a request for all sandboxes may need for the next sandbox.
// If there is not enough memory, the error is a [memory.Full]. Otherwise, the caller must call
// release.
func (x *Exchange) ReserveEach() (release func(), err error) {
	if !x.Operation.Keeps() {
		return func() {}, nil
	}
	n := int64(memory.Write)
	if !x.Operation.Body.Import { // in an import, all sandboxes share the parsed body
		n += int64(len(x.body.whole)) * memory.WritePerByte
	}
	return func() { x.Memory.Release(n) }, x.Memory.Reserve(n, 0)
}

// reserveBody reserves memory for the next bytes of a body. read is the number of bytes that have
// arrived, and more is the number of the next bytes.
func (x *Exchange) reserveBody(read, more int64) error {
	switch {
	case x.Operation.Body.Import:
		return perByte(x.reserveImport(read, (read+more)*memory.ReceivePerByte), memory.ImportPerByte)
	case !x.Operation.Keeps():
		return nil // the body, if any, is small
	}
	n := more * memory.WritePerByte
	if read == 0 {
		n += memory.Write
	}
	return x.Reserve(n)
}

// ReserveImport reserves the memory that an import needs after its body has arrived.
func (x *Exchange) ReserveImport() error {
	if !x.Operation.Body.Import {
		return nil
	}
	body := int64(len(x.body.whole))
	needs := max(memory.ImportPerByte*body, memory.ImportPerRecord*int64(bytes.Count(x.body.whole, []byte("{"))))
	return perByte(x.reserveImport(body, needs-body), (needs+body-1)/max(1, body))
}

// reserveImport replaces the previous reservation with one of n bytes. body is the number of bytes
// that have arrived. n must not include them, because they still count as in use: only half of the
// previous reservation becomes free immediately.
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

// perByte sets the field PerByte of a [memory.Full] to n, the number of bytes of memory that an
// import needs for each byte of its body. The error then reports how long the body may be.
func perByte(err error, n int64) error {
	if full, ok := errors.AsType[memory.Full](err); ok {
		full.PerByte = n
		return full
	}
	return err
}
