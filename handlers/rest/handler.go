package rest

// Handler handles one request. If it returns an error, it has written neither status nor body;
// headers that it has set stay.
type Handler func(*Exchange) error

// Link is a part of the chain around an operation. It works before or after next, or responds
// instead of next. Chains are made once, when the server starts: a link that does not concern the
// operation returns next itself. op is nil in the chain of requests without an operation.
type Link func(op *Operation, next Handler) Handler

// Links returns the chain of the links, the first one outermost.
func Links(links ...Link) Link {
	return func(op *Operation, h Handler) Handler {
		for i := len(links) - 1; i >= 0; i-- {
			h = links[i](op, h)
		}
		return h
	}
}

// ForOperations returns the chain of the links, which is empty for requests without an operation.
func ForOperations(links ...Link) Link {
	chain := Links(links...)
	return func(op *Operation, next Handler) Handler {
		if op == nil {
			return next
		}
		return chain(op, next)
	}
}

// Before returns a handler that runs step and then next. An error of step ends the request. step
// must not respond.
func Before(step, next Handler) Handler {
	return func(x *Exchange) error {
		if err := step(x); err != nil {
			return err
		}
		return next(x)
	}
}
