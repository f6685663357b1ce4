package command

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/command/connections"
	"example.com/petstore/handlers/extras"
)

// shutdownTimeout is the time that running requests have to finish during shutdown.
const shutdownTimeout = 10 * time.Second

// webhookTimeout is the maximum time for the webhook deliveries that are due when a shutdown starts.
const webhookTimeout = time.Second

// otherAddress returns advice on which address to choose after err, an error from listening.
func otherAddress(err error) string {
	if errors.Is(err, syscall.EADDRNOTAVAIL) {
		return "this machine has no such address; choose one of its own with --addr, or 0.0.0.0 for all of them"
	}
	return "choose another with --addr (port 0 picks a free one)"
}

// serve listens, prints the address, and serves until ctx is done or the MCP client ends. With
// --mcp, the address goes to standard error, otherwise to standard output.
func (o *options) serve(ctx context.Context, logger *slog.Logger, stdout io.Writer, out *spool) (err error) {
	collector := newCollector()
	kept, err := o.openKeeper(logger, collector)
	if err != nil {
		return err
	}
	defer kept.close()
	inner, err := net.Listen(networkOf(o.Addr), o.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; %s", o.Addr, err, otherAddress(err))
	}
	defer inner.Close()
	bound := inner.Addr().(*net.TCPAddr)
	o.guardAdmin(logger, bound)
	most := connections.Limit(o.MaxConnections)
	o.Config.Log, o.Config.Version, o.Config.MaxStanding = logger, version(), max(1, most*3/4)
	listener := connections.Listen(inner, most, logger)
	o.Config.Connections = func() admin.Connections {
		return admin.Connections{Open: listener.Open(), Most: most, Closed: listener.Closed()}
	}
	o.Config.WebhookRoots = systemRoots
	o.Config.Addresses = func() []string { return o.reachable(bound) }
	extras.Add(&o.Config)
	service, err := handlers.New(o.Config)
	if err != nil {
		return usageError{o.byFlag(err)}
	}
	collecting, stopCollecting := context.WithCancel(context.Background())
	defer stopCollecting()
	collector.run(collecting)
	if err := kept.restore(service.Sandboxes()); err != nil {
		return err
	}
	server := o.newServer(service, listener, logger)
	o.logAddresses(out, logger, bound)
	out.flush(flushTimeout) // show start-up warnings before the address
	serving, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if o.MCP {
		fmt.Fprintf(out, "petstore listening on %s\n", o.url(bound))
		go func() { stop(o.serveMCP(serving, service, stdout, o.addresses(bound)[0])) }()
	} else if _, err := fmt.Fprintf(stdout, "petstore listening on %s\n", o.url(bound)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.end()) }()
	idle := &idleMemory{measure: measureHeld, release: giveBack}
	go every(serving, lookEvery, idle.look)
	if o.certificate != nil {
		go o.certificate.watch(serving, logger)
	}
	go kept.run(serving)
	served := make(chan error, 1)
	go func() { served <- o.accept(server, listener) }()
	select {
	case err := <-served:
		return err
	case <-serving.Done():
	}
	o.drainFirst(service, logger, reasonOf(serving))
	flushWebhooks(service)
	// Save now, because a container may be killed before the running requests finish.
	if err := kept.write(); err != nil {
		logger.Error("the sandboxes cannot be kept; trying again after the requests in flight", "error", err)
	}
	logger.Info("stopping: finishing the requests in flight", reasonOf(serving))
	if !shutDown(server) {
		logger.Warn("requests aborted", "after", shutdownTimeout)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// every calls f at regular intervals until ctx is done.
func every(ctx context.Context, interval time.Duration, f func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			f()
		case <-ctx.Done():
			return
		}
	}
}

// drainFirst implements --drain. During the given time, health checks fail while all other requests
// are still served.
func (o *options) drainFirst(service *handlers.Server, logger *slog.Logger, because slog.Attr) {
	if o.Drain > 0 {
		service.Drain()
		logger.Info("draining: health returns 503, other requests are answered as before",
			slog.String("for", o.Drain.String()), because)
		time.Sleep(o.Drain)
	}
}

// flushWebhooks attempts the webhook deliveries that are due, for at most webhookTimeout.
func flushWebhooks(service *handlers.Server) {
	fresh, cancel := context.WithTimeout(context.Background(), webhookTimeout)
	defer cancel()
	service.FlushWebhooks(fresh)
}

// shutDown stops the server. It reports whether all running requests finished in time.
func shutDown(server *http.Server) bool {
	fresh, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	err := server.Shutdown(fresh)
	if err != nil {
		_ = server.Close()
	}
	return err == nil
}

func (o *options) accept(server *http.Server, listener *connections.Listener) error {
	if o.tls != nil {
		return server.ServeTLS(listener, "", "") // the certificate is in server.TLSConfig
	}
	return server.Serve(listener)
}

// guardAdmin generates an admin key if other machines can reach the server and no key was given. It
// also logs the key if one was generated, here or earlier.
func (o *options) guardAdmin(logger *slog.Logger, bound *net.TCPAddr) {
	if !bound.IP.IsLoopback() {
		logger.Info("listening beyond this machine", "addr", bound.String())
		if o.Config.AdminKey == "" {
			o.makeAdminKey()
		}
	}
	if o.madeKey {
		logAlways(logger.Handler(), slog.LevelWarn,
			"others can reach this server, so its control plane requires a key; set one with --admin-key",
			slog.String("key", o.Config.AdminKey))
	}
}

func (o *options) makeAdminKey() { o.Config.AdminKey, o.madeKey = rand.Text(), true }

// networkOf returns the network to listen on. For an IPv4 address, the network is tcp4. With tcp,
// the net package would also listen on IPv6 addresses if the address is 0.0.0.0.
func networkOf(address string) string {
	host, _, _ := net.SplitHostPort(address)
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		return "tcp4"
	}
	return "tcp"
}

// url returns the base URL for a listening address. If the server listens on every interface, the
// URL contains a loopback address.
func (o *options) url(bound *net.TCPAddr) string {
	scheme, host := "http", bound.IP.String()
	if o.tls != nil {
		scheme = "https"
	}
	if bound.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, fmt.Sprint(bound.Port))
}
