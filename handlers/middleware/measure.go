package middleware

import (
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// What requests are counted as that are of no operation of the documents.
const (
	measuredData  = "data" // of the pet store by way of the control plane
	measuredPage  = "page"
	measuredOther = "other" // preflights, 404, 405
)

// MeasuredNames returns all that requests are counted as, given the route table.
func MeasuredNames(table []rest.Operation) []string {
	names := []string{measuredData, measuredPage, measuredOther}
	for i := range table {
		if id := table[i].ID; id != "" {
			names = append(names, id)
		}
	}
	return names
}

// MeasuredCodes are the codes of the errors that say that a bound was reached.
func MeasuredCodes() []string {
	return []string{"payload_too_large", "rate_limited", "sandbox_full", "sandbox_limit_reached", "server_full", "unavailable"}
}

// Measure counts each request and how long its answer took to begin.
func Measure(requests *metrics.Requests) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			stream := x.Operation != nil && x.Operation.Stream
			requests.Begin(stream)
			defer func() { // deferred, since a broken connection passes as a panic
				began := x.Sent.Began
				if began.IsZero() { // it was broken off before
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

// MeasureRefusals counts the requests for which there was no room. What was asked to fail,
// and the health of a server that is about to stop, are not among them.
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
