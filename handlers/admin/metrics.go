package admin

import (
	"io"
	"net/http"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
)

// Connections counts the server's connections.
type Connections struct {
	Open, Most int
	Closed     uint64 // connections closed because Most were open
}

// WriteMetrics writes the server's metrics in the text format of Prometheus. The metrics contain no
// sandbox names and no other text that a client can choose. An error comes from the writer.
func (s *Server) WriteMetrics(to io.Writer) error {
	t := metrics.NewText(to)
	t.Family("petstore_info", metrics.Gauge, "Which server this is.")
	t.Sample("petstore_info", 1, "version", s.Version, "replica", s.Replica)
	t.One("process_start_time_seconds", metrics.Gauge, "When the server started, in seconds since 1970.", s.Started.Unix())
	s.Requests.Write(t)
	t.One("petstore_sandboxes", metrics.Gauge, "Sandboxes, the default one included.", int64(s.Sandboxes.Len()))
	t.One("petstore_sandboxes_max", metrics.Gauge, "Sandboxes that there may be.", int64(s.Sandboxes.Max()))
	room, idle := s.Sandboxes.Evicted()
	const evicted = "petstore_sandboxes_evicted_total"
	t.Family(evicted, metrics.Counter, "Sandboxes that were dropped to make room for others, or because they were idle.")
	t.Sample(evicted, float64(room), "reason", "room")
	t.Sample(evicted, float64(idle), "reason", "idle")
	var records, entries, bytes, hooks, pending int64
	for _, sb := range s.Sandboxes.List() {
		kept, _ := sb.Journal.Size()
		records += int64(sb.Store.View().Records())
		entries += int64(kept)
		bytes += sb.Journal.Bytes()
		for _, hook := range sb.Webhooks.List() {
			hooks++
			pending += int64(hook.Pending)
		}
	}
	t.One("petstore_records", metrics.Gauge, "Records in all sandboxes.", records)
	t.One("petstore_journal_entries", metrics.Gauge, "Requests that the journals of all sandboxes keep.", entries)
	t.One("petstore_journal_bytes", metrics.Gauge, "Bytes that the journals and the kept events of all sandboxes hold.", bytes)
	t.One("petstore_journal_dropped_total", metrics.Counter, "Requests that a journal had no room for any more.", int64(s.Sandboxes.JournalDrops()))
	t.One("petstore_webhooks", metrics.Gauge, "Webhooks of all sandboxes.", hooks)
	t.One("petstore_webhook_pending", metrics.Gauge, "Deliveries of webhooks that are tried, now or later.", pending)
	delivered := s.Sandboxes.Webhooks().Counts()
	const deliveries = "petstore_webhook_deliveries_total"
	t.Family(deliveries, metrics.Counter, "Deliveries of webhooks that are over, and events that there was no room for.")
	t.Sample(deliveries, float64(delivered.Delivered), "result", "delivered")
	t.Sample(deliveries, float64(delivered.Failed), "result", "failed")
	t.Sample(deliveries, float64(delivered.Dropped), "result", "dropped")
	t.One("petstore_memory_used_bytes", metrics.Gauge, "Memory in use or promised, as the server accounts for it.", s.Memory.Used())
	t.One("petstore_memory_max_bytes", metrics.Gauge, "Memory that the process may have; 0 for any.", s.Memory.Limit())
	if s.Connections != nil {
		c := s.Connections()
		t.One("petstore_connections", metrics.Gauge, "Connections that are open.", int64(c.Open))
		t.One("petstore_connections_max", metrics.Gauge, "Connections that there may be.", int64(c.Most))
		t.One("petstore_connections_closed_total", metrics.Counter, "Connections that were closed because there were too many.", int64(c.Closed))
	}
	metrics.WriteProcess(t)
	metrics.WriteRuntime(t)
	return t.Flush()
}

// getMetrics writes the metrics in short parts. Because these need no reserved memory, the metrics
// are available even when the memory is full.
func (s *Server) getMetrics(x *rest.Exchange) error {
	x.SetHeader("Content-Type", metrics.ContentType)
	x.W.WriteHeader(http.StatusOK)
	_ = s.WriteMetrics(x.W) // ignore the error, which means that the client has disconnected
	return nil
}
