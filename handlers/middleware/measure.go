package middleware

import (
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// The names that count requests outside the documents' operations.
const (
	measuredData  = "data" // the service's operations under /admin/data
	measuredPage  = "page"
	measuredOther = "other" // preflights, 404, 405
)

// MeasuredNames returns all names under which requests are counted, given the route table.
func MeasuredNames(table []rest.Operation) []string {
	names := []string{measuredData, measuredPage, measuredOther}
	for i := range table {
		if id := table[i].ID; id != "" {
			names = append(names, id)
		}
	}
	return names
}

// MeasuredCodes returns the error codes that report a bound.
func MeasuredCodes() []string {
	return []string{"payload_too_large", "rate_limited", "sandbox_full", "sandbox_limit_reached", "server_full", "unavailable"}
}

// Measure counts each request and the time until its response begins.
func Measure(requests *metrics.Requests) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			stream := x.Operation != nil && x.Operation.Stream
			requests.Begin(stream)
			defer func() { // deferred, because an aborted connection passes as a panic
				began := x.Sent.Began
				if began.IsZero() { // it was aborted before that
					began = sandbox.Machine()
				}
				requests.End(measuredName(x), stream, x.Sent.Status, began.Sub(x.Came))
			}()
			return next(x)
		}
	}
}

func measuredName(x *rest.Exchange) string {
	switch {
	case x.Operation == nil:
		return measuredOther
	case x.Mount != "":
		return measuredData
	case x.Operation.ID == "":
		return measuredPage
	}
	return x.Operation.ID
}

// MeasureRefusals counts the requests that exceeded a bound. It ignores injected faults and the
// health of a server that is about to stop.
func MeasureRefusals(requests *metrics.Requests) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			err := next(x)
			if err == nil || x.Operation == nil || x.Operation.Kind == rest.Health {
				return err
			}
			if answer := rest.AsError(err); !answer.Injected {
				requests.Refuse(answer.Code)
			}
			return err
		}
	}
}
