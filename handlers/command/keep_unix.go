//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package command

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file. The lock ends when the file is closed or the process ends, even if the
// process is killed. If another process has locked the file, lockFile returns an error. On a file
// system without locks, it does nothing.
func lockFile(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return nil
	}
	return err
}
