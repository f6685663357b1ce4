package sandbox

import (
	"fmt"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
)

// SetWebhook creates or changes the named webhook, and reports whether it created one. The settings
// must be valid; see [webhook.Hooks.Check]. The webhook receives the events that match its
// patterns, except those about requests and about changes made by webhooks. The error is
// [ErrBadSnapshotName] or [webhook.ErrFull].
func (s *Sandbox) SetWebhook(name string, w webhook.Settings) (info webhook.Info, made bool, err error) {
	if !ValidName(name) {
		return webhook.Info{}, false, fmt.Errorf("%q %w", name, ErrBadSnapshotName)
	}
	info, made, err = s.Webhooks.Set(name, w)
	if err == nil {
		s.Journal.Subscribe(func(e journal.Event) {
			if !e.ByWebhook { // otherwise a webhook that targets its own sandbox would cause an endless loop
				s.Webhooks.Notify(webhook.Event{Type: e.Name, At: s.Clock.Now(), Data: e.Data})
			}
		})
	}
	return info, made, err
}
