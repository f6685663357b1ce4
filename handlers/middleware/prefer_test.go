package middleware

import (
	"net/http"
	"testing"
	"testing/synctest"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestWaitedBeforeAReset resets a sandbox just after a request has waited. That request does not
// change the new data; a request that has not waited does.
func TestWaitedBeforeAReset(t *testing.T) {
	t.Parallel()
	for _, prefer := range []string{"delay=0", "delay=20"} {
		synctest.Test(t, func(t *testing.T) {
			v := newVisit(http.MethodDelete, "/pets/1", http.Header{"Prefer": {prefer}})
			v.x.TakeSandbox(v.x.Sandbox)
			v.to(Disturb, func(x *rest.Exchange) error {
				x.Sandbox.Reset()
				return x.Update(func(tx *store.Tx) (journal.Event, error) {
					_, err := tx.CreateMessage(store.Message{})
					return journal.Event{Name: "message.created"}, err
				})
			})
			waited := prefer != "delay=0"
			if refused := v.err != nil && rest.AsError(v.err).Status == 503; refused != waited || v.x.Sandbox.Store.Undoable() > 0 == waited {
				t.Errorf("%s: error = %v, and %d writes", prefer, v.err, v.x.Sandbox.Store.Undoable())
			}
		})
	}
}
