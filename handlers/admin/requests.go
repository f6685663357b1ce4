package admin

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// Bounds of what is asked of the journal.
const (
	defaultEntries = 100
	maxEntries     = 1000
	maxWait        = time.Minute
)

// Requests is what is in the journal.
type Requests struct {
	Requests []journal.Entry `json:"requests"` // that match
	Matched  int             `json:"matched"`  // how many match, more than are told perhaps
	Dropped  uint64          `json:"dropped"`  // entries that there was no room for any more
	Oldest   int64           `json:"oldest,omitzero"`
	TimedOut bool            `json:"timedOut,omitzero"` // fewer matched than were waited for
}

var requestQuery = []string{"operationId", "method", "path", "status", "since", "order", "limit", "count", "wait", "format"}

// The orders of the entries in an answer.
const (
	oldestFirst = "asc"
	newestFirst = "desc"
)

// listRequests answers the entries of the journal that match the query, once there
// are as many as it wants.
func (s *Server) listRequests(x *rest.Exchange) error {
	q := x.ReadQuery()
	filter := readFilter(x, q)
	order := q.Choice("order", oldestFirst, newestFirst)
	limit := int(q.Int("limit", defaultEntries, 1, maxEntries))
	count := q.OptionalInt("count", 1, math.MaxInt32)
	wait := q.Duration("wait", maxWait)
	format := q.Choice("format", formatJSON, formatHAR)
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
		leave, err := x.Stand(wait)
		if err != nil {
			return err
		}
		defer leave()
		if enough, err = x.Sandbox.Journal.Wait(ctx, filter, int(*count)); err != nil {
			return err
		}
	}
	find := x.Sandbox.Journal.Find
	if order == newestFirst {
		find = x.Sandbox.Journal.FindNewest
	}
	found := find(filter, limit)
	answer := Requests{
		Requests: found.Entries,
		Matched:  found.Matched,
		Dropped:  found.Dropped,
		Oldest:   found.Oldest,
		TimedOut: !enough && wait > 0,
	}
	if format == formatHAR {
		return s.archive(x, &answer)
	}
	return x.JSON(http.StatusOK, answer)
}

// archive answers entries of the journal as an HTTP Archive.
func (s *Server) archive(x *rest.Exchange, r *Requests) error {
	archive := x.Sandbox.Archive(s.Version)
	archive.Base = x.Public()
	archive.Comment = fmt.Sprintf("%d of %d requests that match; the journal has dropped %d", len(r.Requests), r.Matched, r.Dropped)
	return x.Written("application/har+json", func(w io.Writer) error { return archive.Write(w, r.Requests) })
}

func readFilter(x *rest.Exchange, q *rest.Query) journal.Filter {
	f := journal.Filter{
		OperationID: q.Text("operationId"),
		Method:      q.Text("method"),
		Path:        q.Text("path"),
		Since:       q.Int("since", 0, math.MinInt64, math.MaxInt64),
	}
	f.Status, f.StatusClass = readStatus(q)
	for _, flaw := range x.Sandbox.CheckFilter(&f, operationList) {
		q.Refuse(strings.TrimPrefix(flaw.Field, "/"), flaw.Message)
	}
	return f
}

// readStatus reads a status, such as 404, or a class of them, such as 4xx.
func readStatus(q *rest.Query) (status *int, class int) {
	text := q.Text("status")
	if digit, ok := strings.CutSuffix(text, "xx"); ok && len(digit) == 1 && '1' <= digit[0] && digit[0] <= '5' {
		return nil, int(digit[0] - '0')
	}
	if text == "" {
		return nil, 0
	}
	n, wrong := field.ParseInteger(text)
	if wrong != "" {
		q.Refuse("status", "must be a status such as 404 or a class such as 4xx, not "+field.Quote(text))
		return nil, 0
	}
	return new(int(n)), 0
}

func (s *Server) clearRequests(x *rest.Exchange) error {
	x.Sandbox.Journal.Reset()
	return x.NoContent()
}
