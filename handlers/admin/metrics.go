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
	Closed     uint64 // connections closed because the maximum, Most, was reached
}

// WriteMetrics writes the server's metrics in the text format of Prometheus. The metrics contain no
// sandbox names and no other text that a client can choose. The error is that of the writer.
func (s *Server) WriteMetrics(to io.Writer) error {
	t := metrics.NewText(to)
	t.Family("petstore_info", metrics.Gauge, "The version and the replica name of the server.")
	t.Sample("petstore_info", 1, "version", s.Version, "replica", s.Replica)
	t.One("process_start_time_seconds", metrics.Gauge, "When the server started, in seconds since 1970.",
		float64(s.Started.Unix()))
	s.Requests.Write(t)
	t.One("petstore_sandboxes", metrics.Gauge, "Sandboxes, including the default one.", float64(s.Sandboxes.Len()))
	t.One("petstore_sandboxes_max", metrics.Gauge, "The maximum number of sandboxes.", float64(s.Sandboxes.Max()))
	room, idle := s.Sandboxes.Evicted()
	const evicted = "petstore_sandboxes_evicted_total"
	t.Family(evicted, metrics.Counter, "Sandboxes dropped to make room for others, or because they were idle.")
	t.Sample(evicted, float64(room), "reason", "room")
	t.Sample(evicted, float64(idle), "reason", "idle")
	var records, entries, bytes, hooks, pending float64
	for _, sb := range s.Sandboxes.List() {
		kept, _ := sb.Journal.Size()
		records += float64(sb.Store.View().Records())
		entries += float64(kept)
		bytes += float64(sb.Journal.Bytes())
		for _, hook := range sb.Webhooks.List() {
			hooks++
			pending += float64(hook.Pending)
		}
	}
	t.One("petstore_records", metrics.Gauge, "Records in all sandboxes.", records)
	t.One("petstore_journal_entries", metrics.Gauge, "Requests in the journals of all sandboxes.", entries)
	t.One("petstore_journal_bytes", metrics.Gauge, "Bytes used by the journals and kept events of all sandboxes.",
		bytes)
	t.One("petstore_journal_dropped_total", metrics.Counter, "Requests that a journal dropped for lack of room.",
		float64(s.Sandboxes.Options.JournalDrops.Load()))
	t.One("petstore_webhooks", metrics.Gauge, "Webhooks of all sandboxes.", hooks)
	t.One("petstore_webhook_pending", metrics.Gauge, "Webhook deliveries in progress or waiting.", pending)
	sender := s.Sandboxes.Options.Sender
	const deliveries = "petstore_webhook_deliveries_total"
	t.Family(deliveries, metrics.Counter, "Completed webhook deliveries, and events dropped for lack of room.")
	t.Sample(deliveries, float64(sender.Delivered.Load()), "result", "delivered")
	t.Sample(deliveries, float64(sender.Failed.Load()), "result", "failed")
	t.Sample(deliveries, float64(sender.Dropped.Load()), "result", "dropped")
	t.One("petstore_memory_used_bytes", metrics.Gauge, "Memory in use or reserved, as the server accounts for it.",
		float64(s.Memory.Used()))
	t.One("petstore_memory_max_bytes", metrics.Gauge, "The memory limit of the process; 0 means no limit.",
		float64(s.Memory.Limit()))
	if s.Connections != nil {
		c := s.Connections()
		t.One("petstore_connections", metrics.Gauge, "Open connections.", float64(c.Open))
		t.One("petstore_connections_max", metrics.Gauge, "The maximum number of open connections.", float64(c.Most))
		t.One("petstore_connections_closed_total", metrics.Counter,
			"Connections closed because the maximum was reached.", float64(c.Closed))
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
