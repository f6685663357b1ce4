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
