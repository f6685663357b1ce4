package rest

// Handler answers one request. When it returns an error it has written nothing,
// neither status nor body; headers that it set stay.
type Handler func(*Exchange) error

// Link is a part of the chain around every operation: it does its work before
// or after next, or answers in next's place.
type Link func(next Handler) Handler

// Chain returns the handler in its links, the first of them outermost.
func Chain(h Handler, links ...Link) Handler {
	for i := len(links) - 1; i >= 0; i-- {
		h = links[i](h)
	}
	return h
}
