package rest

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
}
