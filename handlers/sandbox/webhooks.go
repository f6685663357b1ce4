package sandbox

import (
	"fmt"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store/field"
)

// CheckWebhook returns everything that is wrong with the settings of a webhook of the sandbox.
func (s *Sandbox) CheckWebhook(w *webhook.Settings) field.Problems {
	return w.Check(s.options.sender)
}

// SetWebhook makes the webhook of the name, or changes the one there is, and reports whether
// there was none. The settings have passed [Sandbox.CheckWebhook]. From then on it is told what
// the sandbox's event streams are, requests aside. The error is [ErrBadSnapshotName] or
// [webhook.ErrFull].
func (s *Sandbox) SetWebhook(name string, w webhook.Settings) (info webhook.Info, made bool, err error) {
	if !ValidName(name) {
		return webhook.Info{}, false, fmt.Errorf("%q %w", name, ErrBadSnapshotName)
	}
	info, made, err = s.Webhooks.Set(name, w)
	if err == nil {
		s.Journal.Tell(s.tellWebhooks)
	}
	return info, made, err
}

// tellWebhooks is called for each event, in turn. A change that a webhook has made is told to
// none, so that one that changes its own sandbox does not go on for ever.
func (s *Sandbox) tellWebhooks(e journal.Event) {
	if !e.ByWebhook {
		s.Webhooks.Tell(webhook.Event{Type: e.Name, At: s.Clock.Now(), Data: e.Data})
	}
}

// finish ends the life of the sandbox, and all that goes on in it.
func (s *Sandbox) finish(why error) {
	s.end(why)
	s.Webhooks.Stop()
}
