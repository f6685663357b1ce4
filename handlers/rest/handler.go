package rest

// Handler handles one request. If it returns an error, it has written neither status nor body;
// headers that it has set stay.
type Handler func(*Exchange) error

// Link is a part of the chain around every operation. It works before or after next, or responds
// instead of next.
type Link func(next Handler) Handler

// Chain returns the handler wrapped in the links, the first one outermost.
func Chain(h Handler, links ...Link) Handler {
	for i := len(links) - 1; i >= 0; i-- {
		h = links[i](h)
	}
	return h
}

// Steps returns a link that runs handlers one after another before next. The first error ends the
// request. They must not respond.
func Steps(steps ...Handler) Link {
	return func(next Handler) Handler {
		return func(x *Exchange) error {
			for _, step := range steps {
				if err := step(x); err != nil {
					return err
				}
			}
			return next(x)
		}
	}
}
