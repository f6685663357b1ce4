//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package command

import "os"

// lockFile does nothing on this system.
func lockFile(*os.File) error { return nil }

// syncDirectory does nothing, because this system needs no such call.
func syncDirectory(string) error { return nil }
