package contracttest

import "runtime"

// Ballast allocates memory that the runtime counts but that touches hardly any page. It allocates in
// pieces, because the runtime clears a whole piece if any of its pages was in use before. release
// frees the memory and collects garbage.
func Ballast(bytes int) (release func()) {
	const piece = 16 << 20
	held := make([][]byte, (bytes+piece-1)/piece)
	for i := range held {
		held[i] = make([]byte, piece)
	}
	runtime.GC() // counts the pieces as live
	return func() {
		runtime.KeepAlive(held)
		held = nil
		runtime.GC()
	}
}
