package rest

import (
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Everywhere reports whether the request speaks to all sandboxes: by the prefix
// /sandboxes/*, where alone that is possible.
func (x *Exchange) Everywhere() bool {
	return x.Prefix != "" && x.named == "*" && x.R.Header["X-Sandbox"] == nil
}

// NotEverywhere is the answer to a request that speaks to all sandboxes and asks for what is
// done in one.
func NotEverywhere() *Error {
	return BadParameter(field.Problem{
		Field: "sandbox", Message: `"*" stands for all sandboxes only where the admin API changes them: reset, undo, snapshots, clock, operations, faults, PUT /admin/state and DELETE /admin/requests, and in GET /admin/events; name one`,
	})
}

// In does in a sandbox what the request asks for, as if it spoke to that one. It promises
// what one more sandbox may need of the memory, or returns a [memory.Full].
func (x *Exchange) In(sb *sandbox.Sandbox, do Handler) error {
	if op := x.Operation; op.Keeps() {
		n := int64(writeBytes)
		if !op.Takes().Import { // else the sandboxes share what is made of the body
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

// Shared returns what make makes. In a request for many sandboxes that is made once for
// each key, and shared by them: so it must never change.
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
