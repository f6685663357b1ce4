package contracttest

import "runtime"

// Ballast allocates memory that the runtime counts as in use, although the system need not provide
// most of it. It allocates in pieces, because the runtime zeroes a whole piece if it reuses any
// page in it. release frees the memory and collects garbage.
func Ballast(bytes int) (release func()) {
	const piece = 16 << 20
	held := make([][]byte, (bytes+piece-1)/piece)
	for i := range held {
		held[i] = make([]byte, piece)
	}
	runtime.GC() // so that the pieces count as live
	return func() {
		runtime.KeepAlive(held)
		held = nil
		runtime.GC()
	}
}
