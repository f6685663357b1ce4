package contracttest

import "runtime"

// Ballast takes that much memory, in bytes, as the runtime counts it: next to no page of
// it is touched. It is in pieces, for the runtime clears the whole of a piece of which any
// page was in use before. Calling release lets go of it: until the collector has seen that,
// it lets all others of the process make as much garbage.
func Ballast(bytes int) (release func()) {
	const piece = 16 << 20
	held := make([][]byte, (bytes+piece-1)/piece)
	for i := range held {
		held[i] = make([]byte, piece)
	}
	runtime.GC() // which finds it
	return func() {
		runtime.KeepAlive(held)
		held = nil
		runtime.GC()
	}
}
