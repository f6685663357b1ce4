package admin

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
)

// Bounds of what is asked of the journal.
const (
	defaultEntries = 100
	maxEntries     = 1000
	maxWait        = time.Minute
)

// Requests is what is in the journal.
type Requests struct {
	Requests []journal.Entry `json:"requests"` // that match, oldest first
	Matched  int             `json:"matched"`  // how many match, more than are told perhaps
	Dropped  uint64          `json:"dropped"`  // entries that there was no room for any more
	Oldest   int64           `json:"oldest,omitzero"`
	TimedOut bool            `json:"timedOut,omitzero"` // fewer matched than were waited for
}

var requestQuery = []string{"operationId", "method", "path", "status", "since", "limit", "count", "wait"}

// listRequests answers the entries of the journal that match the query, once there
// are as many as it wants.
func (s *Server) listRequests(x *rest.Exchange) error {
	q := x.ReadQuery()
	filter := readFilter(x, q)
	limit := int(q.Int("limit", defaultEntries, 1, maxEntries))
	count := q.OptionalInt("count", 1, math.MaxInt32)
	wait := q.Duration("wait", maxWait)
	if most := x.Sandbox.Journal.Capacity(); count != nil && most > 0 && *count > int64(most) {
		q.Refuse("count", fmt.Sprintf("must be at most %d, the size of the journal; start the server with a larger --journal", most))
	}
	if err := q.Err(); err != nil {
		return err
	}
	enough := true
	if wait > 0 && count == nil {
		count = new(int64(1))
	}
	if count != nil {
		ctx, cancel := context.WithTimeout(x.R.Context(), wait)
		defer cancel()
		var err error
		if enough, err = x.Sandbox.Journal.Wait(ctx, filter, int(*count)); err != nil {
			return err
		}
	}
	found := x.Sandbox.Journal.Find(filter, limit)
	return x.JSON(http.StatusOK, Requests{
		Requests: found.Entries,
		Matched:  found.Matched,
		Dropped:  found.Dropped,
		Oldest:   found.Oldest,
		TimedOut: !enough && wait > 0,
	})
}

func readFilter(x *rest.Exchange, q *rest.Query) journal.Filter {
	f := journal.Filter{
		OperationID: q.Text("operationId"),
		Method:      q.Text("method"),
		Path:        q.Text("path"),
		Since:       q.Int("since", 0, math.MinInt64, math.MaxInt64),
	}
	if status := q.OptionalInt("status", math.MinInt, math.MaxInt); status != nil {
		f.Status = new(int(*status))
	}
	for _, flaw := range x.Sandbox.CheckFilter(&f, operationList) {
		q.Refuse(strings.TrimPrefix(flaw.Field, "/"), flaw.Message)
	}
	return f
}

func (s *Server) clearRequests(x *rest.Exchange) error {
	x.Sandbox.Journal.Reset()
	return x.NoContent()
}
