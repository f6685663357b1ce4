package middleware

import (
	"net"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
)

// Journal keeps a record of each request to the service, and of each that no
// operation answers: preflights, 404, 405. The control plane, health, documents
// and pages are not in it. An entry is made just before the client can know of the
// answer, so that whoever has one finds its entry; what broke off in the middle
// unforeseen is told as it began. A journal that was reset meanwhile has none.
func Journal() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Sandbox == nil || !x.Sandbox.Journal.On() || !journalled(x) {
				return next(x)
			}
			start := sandbox.Machine()
			came := x.Sandbox.Clock.Now()
			x.Sent.Before = func(status int) {
				x.Sandbox.Journal.Add(&journal.Request{
					Time:        came,
					ID:          x.ID,
					OperationID: operationID(x),
					Client:      clientAddress(x.R.RemoteAddr),
					Method:      x.R.Method,
					Path:        x.Path,
					Query:       x.R.URL.RawQuery,
					Headers:     x.R.Header,
					Body:        x.BodyRead(),
					Status:      status,
					Duration:    sandbox.Machine().Sub(start),
					Fault:       x.Fault,
					Resets:      x.JournalResets,
				})
			}
			defer x.Sent.BreakOff() // where nothing was answered
			return next(x)
		}
	}
}

func journalled(x *rest.Exchange) bool {
	if x.Operation == nil {
		return !isAdmin(x)
	}
	return x.Operation.TakesFaults()
}

// clientAddress returns the address of host:port.
func clientAddress(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote // of a transport without ports
	}
	return host
}
