package admin

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// Limits of journal queries.
const (
	defaultEntries = 100
	maxEntries     = 1000
	maxWait        = time.Minute
)

var requestQuery = []string{"operationId", "method", "path", "status", "since", "order", "limit", "count", "wait",
	"format"}

// The orders of entries in a response.
const (
	oldestFirst = "asc"
	newestFirst = "desc"
)

// listRequests returns the journal's entries that match the query. If the query has count or wait,
// it first waits until enough entries match or the wait time has elapsed.
func (s *Server) listRequests(x *rest.Exchange) error {
	q := x.ReadQuery()
	filter := readFilter(x, q)
	order := rest.Choice(q, "order", oldestFirst, newestFirst)
	limit := int(q.Int("limit", defaultEntries, 1, maxEntries))
	count := q.OptionalInt("count", 1, math.MaxInt32)
	wait := q.Duration("wait", maxWait)
	format := rest.Choice(q, "format", formatJSON, formatHAR)
	checkCount(x, q, count, wait)
	if err := q.Err(); err != nil {
		return err
	}
	enough, err := await(x, wait, count, func(ctx context.Context, n int) (bool, error) {
		return x.Sandbox.Journal.Wait(ctx, filter, n)
	})
	if err != nil {
		return err
	}
	chosen, err := x.Sandbox.Journal.Select(filter, limit, order == newestFirst, x.Hold)
	if err != nil {
		return err
	}
	if format == formatHAR {
		return s.archive(x, chosen)
	}
	return x.Written("application/json", func(w io.Writer) error {
		return writeRequests(w, chosen, !enough)
	})
}

// checkCount adds a problem to q if the request would wait for more entries than the journal can
// store.
func checkCount(x *rest.Exchange, q *rest.Query, count *int64, wait time.Duration) {
	name := "count"
	switch {
	case count != nil:
	case wait > 0:
		name, count = "wait", new(int64(1))
	default:
		return
	}
	if err := x.Sandbox.Journal.CheckCount(*count); err != nil {
		q.Report(field.ProblemOf(name, err))
	}
}

// known contains all fields of the response to a journal query except the entries.
type known struct {
	Matched  int    `json:"matched"` // the number of matching entries, including those not in the response
	Dropped  uint64 `json:"dropped"` // the number of entries dropped for lack of room
	Oldest   int64  `json:"oldest,omitzero"`
	TimedOut bool   `json:"timedOut,omitzero"` // fewer entries matched than the request waited for
}

// writeRequests writes the entries and then the other fields of the response. It parses and encodes
// one entry at a time.
func writeRequests(w io.Writer, chosen *journal.Selection, timedOut bool) error {
	before := `{"requests":[`
	for entry := range chosen.Entries() {
		text, err := rest.Encode(entry)
		if err != nil {
			return err
		}
		if _, err := w.Write(slices.Concat([]byte(before), text)); err != nil {
			return err
		}
		before = ","
	}
	if chosen.Len > 0 {
		before = ""
	}
	others, err := rest.Encode(known{chosen.Matched, chosen.Dropped, chosen.Oldest, timedOut})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s],%s\n", before, bytes.TrimPrefix(others, []byte("{")))
	return err
}

// archive writes journal entries as an HTTP Archive.
func (s *Server) archive(x *rest.Exchange, chosen *journal.Selection) error {
	archive := x.Sandbox.Archive(s.Version)
	archive.Base = x.Public.Base()
	archive.Comment = fmt.Sprintf("%d of %d requests that match; the journal has dropped %d", chosen.Len,
		chosen.Matched, chosen.Dropped)
	return x.Written("application/har+json", func(w io.Writer) error { return archive.Write(w, chosen.Entries()) })
}

func readFilter(x *rest.Exchange, q *rest.Query) journal.Filter {
	f := journal.Filter{
		OperationID: q.Text("operationId"),
		Method:      q.Text("method"),
		Path:        q.Text("path"),
		Since:       q.Int("since", 0, math.MinInt64, math.MaxInt64),
	}
	f.Status, f.StatusClass = readStatus(q)
	reportProblems(q, x.Sandbox.CheckFilter(&f))
	return f
}

// reportProblems reports problems whose Field is a JSON Pointer to a parameter.
func reportProblems(q *rest.Query, problems field.Problems) {
	for _, problem := range problems {
		problem.Field = strings.TrimPrefix(problem.Field, "/")
		q.Report(problem)
	}
}

// readStatus reads a status, such as 404, or a class of statuses, such as 4xx.
func readStatus(q *rest.Query) (status *int, class int) {
	text := q.Text("status")
	if digit, ok := strings.CutSuffix(text, "xx"); ok && len(digit) == 1 && '1' <= digit[0] && digit[0] <= '5' {
		return nil, int(digit[0] - '0')
	}
	if text == "" {
		return nil, 0
	}
	n, wrong := field.ParseInteger(text, math.MinInt64, math.MaxInt64)
	if wrong != "" {
		q.Refuse("status", "must be a status such as 404 or a class such as 4xx, not "+field.Quote(text))
		return nil, 0
	}
	return new(int(n)), 0
}

// await calls waitFor to wait for count matches, for at most the duration wait. It reports whether
// there are enough. If count is nil, await waits for one match. If count is nil and wait is 0,
// await returns true at once.
func await(x *rest.Exchange, wait time.Duration, count *int64,
	waitFor func(ctx context.Context, n int) (bool, error)) (enough bool, err error) {
	if wait > 0 && count == nil {
		count = new(int64(1))
	}
	if count == nil {
		return true, nil
	}
	ctx, cancel := x.Await(wait)
	defer cancel()
	leave, err := x.AddWaiter(wait)
	if err != nil {
		return false, err
	}
	defer leave()
	if enough, err = waitFor(ctx, int(*count)); err == nil {
		err = x.Ended(rest.NotRun)
	}
	return enough, err
}

// streamEvents streams the sandbox's changes and requests. For a request for all sandboxes, it
// streams those of every sandbox.
func (s *Server) streamEvents(x *rest.Exchange) error {
	if x.Everywhere() {
		return x.StreamEvents(s.Sandboxes.Events.Listen)
	}
	return x.StreamEvents(func(after int64) (*journal.Stream, error) { return x.Sandbox.Journal.Listen(after, true) })
}
