package middleware

import (
	"net"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Journal keeps a record of each request to the service, and of each that no
// operation answers: preflights, 404, 405. The control plane, health, documents
// and pages are not in it.
func Journal() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) (err error) {
			if x.Sandbox == nil || !x.Sandbox.Journal.On() || !journalled(x) {
				return next(x)
			}
			start := sandbox.Machine()
			came := x.Sandbox.Clock.Now()
			answered := false
			defer func() { // also when the connection is broken off, which is a panic
				request := sandbox.Request{
					Time:        came,
					ID:          x.ID,
					OperationID: operationID(x),
					Client:      clientAddress(x.R.RemoteAddr),
					Method:      x.R.Method,
					Path:        x.Path,
					Query:       x.R.URL.RawQuery,
					Headers:     x.R.Header,
					Body:        x.BodyRead(),
					Duration:    sandbox.Machine().Sub(start),
					Fault:       x.Fault,
				}
				if answered {
					request.Status = x.Sent.Status
				}
				x.Sandbox.Journal.Add(&request)
			}()
			err = next(x)
			answered = true
			return err
		}
	}
}

func journalled(x *rest.Exchange) bool {
	if x.Operation == nil {
		return !isAdmin(x)
	}
	return x.Operation.Disturbable()
}

// clientAddress returns the address of host:port.
func clientAddress(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote // of a transport without ports
	}
	return host
}
