package command

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// certificateInterval is the interval at which the certificate files are read again.
const certificateInterval = 3 * time.Second

// certificateFiles contains the paths in --tls-cert and --tls-key, and the last valid certificate
// read from these files.
type certificateFiles struct {
	cert, key string // paths
	current   atomic.Pointer[tls.Certificate]
	read      string // the contents of both files, or the error from reading them; only load uses it
}

// load reads the files and reports whether they have changed since the last call. If the files
// cannot be read, or their new contents are invalid, load returns an error and keeps the current
// certificate.
func (f *certificateFiles) load() (changed bool, err error) {
	cert, err := os.ReadFile(f.cert)
	var key []byte
	if err == nil {
		key, err = os.ReadFile(f.key)
	}
	read := fmt.Sprintf("%s %s %v", cert, key, err)
	// Without a current certificate, parse the files even if they have not changed.
	if read == f.read && f.current.Load() != nil {
		return false, nil
	}
	f.read = read
	if err != nil {
		return true, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err == nil {
		f.current.Store(&pair)
	}
	return true, err
}

// watch reloads the files at regular intervals until ctx is done. It opens the paths each time,
// because a symbolic link may point to new files. It does nothing if one of the files is not a
// regular file, because a pipe, for example, can be read only once.
func (f *certificateFiles) watch(ctx context.Context, logger *slog.Logger) {
	for _, path := range []string{f.cert, f.key} {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return
		}
	}
	every(ctx, certificateInterval, func() {
		switch changed, err := f.load(); {
		case err != nil:
			logger.Error("the changed certificate cannot be used; the old one stays in use", "tls-cert", f.cert,
				"tls-key", f.key, "error", err)
		case changed:
			logger.Info("certificate reloaded", "tls-cert", f.cert, "until", f.current.Load().Leaf.NotAfter)
		}
	})
}

func (f *certificateFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return f.current.Load(), nil
}
