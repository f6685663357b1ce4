package admin

import (
	"context"
	"math"
	"net/http"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/webhook"
)

// maxWebhook is the maximum size of a webhook's settings, in bytes.
const maxWebhook = 16 << 10

func (s *Server) listWebhooks(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, x.Sandbox.Webhooks.List())
}

// ofWebhook returns a handler that concerns the webhook named in the path.
func ofWebhook(handle func(x *rest.Exchange, name string) error) rest.Handler {
	return func(x *rest.Exchange) error {
		name, err := x.PathName("webhookName")
		if err != nil {
			return err
		}
		return handle(x, name)
	}
}

func getWebhook(x *rest.Exchange, name string) error {
	info, err := x.Sandbox.Webhooks.Find(name)
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, info)
}

// setWebhook creates or changes a webhook. If it generates a secret, only this response contains the
// secret.
func (s *Server) setWebhook(x *rest.Exchange) error {
	settings, err := rest.Read(x, webhook.Fields, x.Sandbox.Webhooks.Check)
	if err != nil {
		return err
	}
	name, err := x.PathName("webhookName")
	if err != nil {
		return err
	}
	info, made, err := x.Sandbox.SetWebhook(name, settings)
	if err != nil {
		return err
	}
	return x.JSON(createdOrOK(made), info)
}

func deleteWebhook(x *rest.Exchange, name string) error {
	if err := x.Sandbox.Webhooks.Drop(name); err != nil {
		return err
	}
	return x.NoContent()
}

var deliveryQuery = []string{"state", "event", "since", "order", "limit", "count", "wait"}

// listDeliveries returns the deliveries that match the query. If the query has count or wait, it
// first waits until enough deliveries match or the wait time has elapsed.
func listDeliveries(x *rest.Exchange, name string) error {
	q := x.ReadQuery()
	filter := webhook.Filter{Since: q.Int("since", 0, 0, math.MaxInt64), State: webhook.State(q.Text("state")),
		Event: q.Text("event")}
	reportProblems(q, x.Sandbox.Webhooks.CheckFilter(filter))
	order := rest.Choice(q, "order", oldestFirst, newestFirst)
	limit := int(q.Int("limit", defaultEntries, 1, webhook.MaxDeliveries))
	count := q.OptionalInt("count", 1, webhook.MaxDeliveries)
	wait := q.Duration("wait", maxWait)
	if err := q.Err(); err != nil {
		return err
	}
	enough, err := await(x, wait, count, func(ctx context.Context, n int) (bool, error) {
		return x.Sandbox.Webhooks.Wait(ctx, name, filter, n)
	})
	if err != nil {
		return err
	}
	found, err := x.Sandbox.Webhooks.Select(name, filter, limit, order == newestFirst, x.Hold)
	if err != nil {
		return err
	}
	found.TimedOut = !enough
	return x.JSON(http.StatusOK, found)
}

func resendDelivery(x *rest.Exchange, name string) error {
	id, err := x.PathID("deliveryId")
	if err != nil {
		return err
	}
	delivery, err := x.Sandbox.Webhooks.Resend(name, id)
	if err != nil {
		return err
	}
	return x.JSON(http.StatusAccepted, delivery)
}
