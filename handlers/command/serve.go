package command

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"example.com/petstore/handlers"
)

// How long what can hang may take.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	shutdownTimeout   = 10 * time.Second
)

// loadCertificate reads the certificate now, so that a bad one stops the start.
func (o *options) loadCertificate() error {
	if o.tlsCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(o.tlsCert, o.tlsKey)
	if err != nil {
		return usagef("--tls-cert %s with --tls-key %s: %w", o.tlsCert, o.tlsKey, err)
	}
	o.tls = &tls.Config{Certificates: []tls.Certificate{pair}}
	return nil
}

// serve listens, says so on standard output and answers until ctx ends.
func (o *options) serve(ctx context.Context, logger *slog.Logger, stdout io.Writer, out *spool) error {
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another with --addr (port 0 picks a free one)", o.addr, err)
	}
	defer listener.Close()
	bound := listener.Addr().(*net.TCPAddr)
	if !bound.IP.IsLoopback() {
		o.guardAdmin(logger, bound)
	}
	o.config.Log, o.config.Version = logger, version()
	service, err := handlers.New(o.config)
	if err != nil {
		return usageError{err}
	}
	server := &http.Server{
		Handler:           service,
		TLSConfig:         o.tls,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          log.New(logWriter{logger}, "", 0),
	}
	server.RegisterOnShutdown(service.Close) // streams would go on for ever
	out.flush(flushTimeout)                  // what is to be known of the start comes before the address
	if _, err := fmt.Fprintf(stdout, "petstore listening on %s\n", o.url(bound)); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- o.accept(server, listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	logger.Info("stopping: finishing the requests in flight")
	fresh, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(fresh); err != nil {
		logger.Warn("requests aborted", "after", shutdownTimeout)
		_ = server.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (o *options) accept(server *http.Server, listener net.Listener) error {
	if o.tls != nil {
		return server.ServeTLS(listener, "", "") // with server.TLSConfig's certificate
	}
	return server.Serve(listener)
}

// guardAdmin makes an admin key where others can reach the server and none was
// chosen.
func (o *options) guardAdmin(logger *slog.Logger, bound *net.TCPAddr) {
	logger.Info("listening beyond this machine", "addr", bound.String())
	if o.config.AdminKey != "" {
		return
	}
	o.config.AdminKey = rand.Text()
	logAlways(logger.Handler(), "others can reach this server, so its control plane requires a key; set one with --admin-key", slog.String("key", o.config.AdminKey))
}

// url returns the address to open: that of the listener, by loopback where it
// listens on every interface.
func (o *options) url(bound *net.TCPAddr) string {
	scheme, host := "http", bound.IP.String()
	if o.tlsCert != "" {
		scheme = "https"
	}
	if bound.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, fmt.Sprint(bound.Port))
}
