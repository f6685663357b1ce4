package middleware

import (
	"net/http"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Door connects a request with its sandbox. [Door.Acquire] finds the sandbox, [Door.Refuse] and
// [Door.Admit] refuse requests that cannot have one, and Admit keeps a new one. The sandbox
// is released when the response has ended.
type Door struct {
	Sandboxes *registry.Registry
	Explicit  bool // requests create no sandboxes by naming them
	Keys      Keys
}

// Acquire finds the sandbox that the request names, and returns its name to the client. A missing
// sandbox is created for this request only, until [Door.Admit].
func (d Door) Acquire(_ *rest.Operation, next rest.Handler) rest.Handler {
	return func(x *rest.Exchange) error {
		name, err := x.SandboxName()
		if err != nil {
			return next(x) // Refuse reports the error, after other errors
		}
		x.TakeSandbox(d.Sandboxes.Acquire(name))
		defer func() { x.Sandbox.Release() }() // the sandbox that the request has in the end
		x.SetHeader("X-Sandbox", x.Sandbox.Name)
		return next(x)
	}
}

// Refuse refuses requests with too many lines of one header (431) and requests that cannot have
// their sandbox (400, 404 or 503). If a key is required, [Door.Admit] returns the 404, so that
// callers without a key cannot probe for sandboxes.
func (d Door) Refuse(op *rest.Operation, next rest.Handler) rest.Handler {
	needs, shard := op.NeedsSandbox(), d.Sandboxes.Shard()
	return rest.Before(func(x *rest.Exchange) error {
		if err := rest.BoundHeaders(x.R.Header); err != nil {
			return refuse(x, err)
		}
		switch {
		case x.Everywhere() && op.Everywhere:
			return nil
		case x.Everywhere():
			return rest.NotEverywhere()
		case x.Sandbox == nil:
			_, err := x.SandboxName()
			return err
		case !needs:
			return nil
		}
		if err := shard.Check(sandbox.Name{Canonical: x.Sandbox.Name, Title: x.Sandbox.Title}); err != nil {
			return refuse(x, err)
		}
		switch {
		case x.Sandbox.Registered():
			return nil
		case d.makesNone(op) && d.Keys.wantedBy(op.Kind):
			return nil
		case d.makesNone(op):
			return refuse(x, d.unknown(x))
		case !d.Sandboxes.HasRoom():
			return refuse(x, registry.ErrLimit)
		}
		return nil
	}, next)
}

// Admit keeps a new sandbox, or refuses the request (404 or 503). From now until the end of the
// response, the sandbox counts as in use. A write of the control plane claims the sandbox, which
// protects it from eviction. Afterwards, Admit reports requests that may have changed what --keep
// saves: writes, whatever their outcome, and requests that a fault rule counted.
func (d Door) Admit(op *rest.Operation, next rest.Handler) rest.Handler {
	service, needs, registers := op.TakesFaults(), op.NeedsSandbox(), op.UsesSandbox() && !op.Makes
	return func(x *rest.Exchange) error {
		defer func() {
			if x.R.Method != http.MethodGet && x.R.Method != http.MethodHead || x.Fault != 0 {
				d.Sandboxes.NoteChange()
			}
		}()
		if x.Sandbox == nil {
			return next(x) // the request is for all sandboxes
		}
		if needs && !x.Sandbox.Registered() && d.makesNone(op) {
			return refuse(x, d.unknown(x))
		}
		if (x.ByOwner || service) && x.Sandbox.Use() { // a teacher's action in a sandbox is not a request of its attendee
			d.Sandboxes.NoteChange()
		}
		if !registers {
			return next(x)
		}
		registered, err := d.Sandboxes.Register(x.Sandbox)
		if err != nil {
			return refuse(x, err)
		}
		if registered != x.Sandbox {
			x.TakeSandbox(registered)
			if err := x.CheckOwner(); err != nil { // it was made private in the meantime
				return err
			}
		}
		if op.Kind == rest.Admin {
			registered.Claim()
		}
		registered.TouchAt(x.Came)
		defer registered.Touch()
		return next(x)
	}
}

// makesNone reports whether the operation returns 404 for a missing sandbox.
func (d Door) makesNone(op *rest.Operation) bool {
	return d.Explicit && !op.Makes || !op.UsesSandbox()
}

// unknown returns the 404 for a missing sandbox, with advice on how to create it.
func (d Door) unknown(x *rest.Exchange) error {
	if door, ok := d.Sandboxes.Door(); ok {
		return rest.UnknownSandbox(x.Sandbox.Title, d.Explicit, &door)
	}
	return rest.UnknownSandbox(x.Sandbox.Title, d.Explicit, nil)
}

// refuse returns the response to a request without a sandbox.
func refuse(x *rest.Exchange, err error) error {
	delete(x.W.Header(), "X-Sandbox")
	return err
}
