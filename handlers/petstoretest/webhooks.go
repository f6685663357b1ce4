package petstoretest

import (
	"context"
	"fmt"
	"time"
)

// SetWebhook creates or changes the webhook with the name. From now on, each matching event of the
// sandbox is sent to the webhook's URL, signed as Standard Webhooks describes
// (https://www.standardwebhooks.com). Changes made by a webhook's request are not sent. Webhooks
// use the real network. They can send to a loopback address, such as that of a
// [net/http/httptest.Server], and to Config.WebhookHosts. If neither w nor the webhook has a secret
// yet, SetWebhook generates one and returns it; otherwise it returns "".
//
// Each delivery is attempted up to 8 times within about two minutes of real time; PUT
// /admin/webhooks/{name} in /admin/openapi.json has the details. In a testing/synctest bubble,
// retries and signatures use the bubble's time. Reset drops all deliveries but keeps the webhooks.
// Forks have no webhooks.
func (s *Sandbox) SetWebhook(name string, w Webhook) (secret string) {
	s.t.Helper()
	s.mustNot("webhook", s.live().Webhooks.Check(&w))
	info, _, err := s.live().SetWebhook(name, w)
	s.must(err)
	return info.Secret
}

// Webhooks returns the webhooks, sorted by name, with counts of their deliveries.
func (s *Sandbox) Webhooks() []WebhookInfo {
	s.t.Helper()
	return s.live().Webhooks.List()
}

// DeleteWebhook deletes the webhook and its deliveries.
func (s *Sandbox) DeleteWebhook(name string) {
	s.t.Helper()
	s.must(s.live().Webhooks.Drop(name))
}

// Deliveries returns the deliveries of the webhook that match the filter, oldest first. The zero
// DeliveryFilter matches every delivery. A delivery is recorded before the request that caused it
// gets a response. A webhook keeps at most 400 deliveries, of at most 256 KiB in total. To make
// room, it drops the oldest completed ones. If all are pending, it drops the new event.
func (s *Sandbox) Deliveries(name string, filter DeliveryFilter) []Delivery {
	s.t.Helper()
	s.mustNot("filter", s.live().Webhooks.CheckFilter(filter))
	found, err := s.live().Webhooks.Select(name, filter, maxDeliveries, false, nil)
	s.must(err)
	return found.Deliveries
}

// WaitForDeliveries waits until at least count deliveries match, for example DeliveryFilter{State:
// Delivered}, and returns what [Sandbox.Deliveries] returns. If the wait takes longer than the
// timeout, or if the sandbox is dropped or the server closed meanwhile, WaitForDeliveries fails the
// test and reports the deliveries so far.
func (s *Sandbox) WaitForDeliveries(timeout time.Duration, name string, filter DeliveryFilter, count int) []Delivery {
	s.t.Helper()
	if count < 1 || count > maxDeliveries {
		s.must(fmt.Errorf("WaitForDeliveries needs a count from 1 to %d, not %d", maxDeliveries, count))
	}
	s.mustNot("filter", s.live().Webhooks.CheckFilter(filter))
	ctx, cancel := context.WithTimeout(s.sandbox.Life, timeout)
	defer cancel()
	hooks := &s.live().Webhooks
	enough, err := hooks.Wait(ctx, name, filter, count)
	s.must(err)
	if enough {
		return s.Deliveries(name, filter)
	}
	text := ""
	all, err := hooks.Select(name, DeliveryFilter{}, maxDeliveries, false, nil)
	s.must(err)
	for _, d := range all.Deliveries {
		text += fmt.Sprintf("\n\t%d: %s %s", d.ID, d.Event, d.State)
		if n := len(d.Tries); n > 0 {
			text += fmt.Sprintf(", %d tries, the last one: status %d %s", n, d.Tries[n-1].Status, d.Tries[n-1].Error)
		}
	}
	if text == "" {
		text = " none"
	}
	s.t.Fatalf("petstoretest: %s: fewer than %d deliveries matched; there are:%s",
		s.whyNot("WaitForDeliveries", timeout), count, text)
	return nil
}

// ResendDelivery restarts a delivery, whatever its state. The delivery is tried now, with as many
// tries as a new one.
func (s *Sandbox) ResendDelivery(name string, id int64) {
	s.t.Helper()
	_, err := s.live().Webhooks.Resend(name, id)
	s.must(err)
}
