package rest

import (
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Everywhere reports whether the request is for all sandboxes, which only the prefix /sandboxes/*
// can express.
func (x *Exchange) Everywhere() bool {
	return x.Prefix != "" && x.named == "*" && x.R.Header["X-Sandbox"] == nil
}

// NotEverywhere returns the response to a request for all sandboxes whose operation works only in
// one.
func NotEverywhere() *Error {
	return BadParameter(field.Problem{
		Field: "sandbox", Message: `"*" stands for all sandboxes only where the admin API changes them: reset, undo, snapshots, clock, operations, faults, PUT /admin/state and DELETE /admin/requests, and in GET /admin/events; name one`,
	})
}

// In carries out the request in a sandbox as if it addressed that one. It reserves the memory that
// one more sandbox may need, or returns a [memory.Full].
func (x *Exchange) In(sb *sandbox.Sandbox, do Handler) error {
	if op := x.Operation; op.Keeps() {
		n := int64(writeBytes)
		if !op.Takes().Import { // an import's sandboxes share the result of reading the body
			n += int64(len(x.body)) * bytesPerByte
		}
		if err := x.Memory.Reserve(n); err != nil {
			return err
		}
		defer x.Memory.Release(n)
	}
	x.TakeSandbox(sb)
	defer func() { x.Sandbox = nil }()
	return do(x)
}

// Shared returns the result of make. A request for many sandboxes calls make once for each key; the
// sandboxes share the result, which must never change.
func Shared[K comparable, T any](x *Exchange, key K, make func() (T, error)) (T, error) {
	type made struct {
		value T
		err   error
	}
	if known, ok := x.shared[key].(made); ok {
		return known.value, known.err
	}
	value, err := make()
	if x.Everywhere() {
		if x.shared == nil {
			x.shared = map[any]any{}
		}
		x.shared[key] = made{value, err}
	}
	return value, err
}
