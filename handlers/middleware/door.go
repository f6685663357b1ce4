package middleware

import (
	"fmt"
	"net/http"
	"net/url"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Door connects a request to its sandbox. [Door.Acquire] finds the sandbox. [Door.Refuse] and
// [Door.Admit] refuse requests whose sandbox is not available. Admit also registers new sandboxes.
// When the response has ended, Acquire releases the sandbox.
type Door struct {
	Sandboxes *registry.Registry
	Explicit  bool // requests do not create a sandbox by naming it
	Keys      Keys
}

// Acquire finds the sandbox that the request names, and sets X-Sandbox in the response. If the
// sandbox is missing, Acquire creates one for this request. Other requests find it after
// [Door.Admit] has registered it.
func (d Door) Acquire(op *rest.Operation, next rest.Handler) rest.Handler {
	return func(x *rest.Exchange) error {
		name, err := x.SandboxName()
		if err != nil {
			return next(x) // Door.Refuse returns the error later, because other errors take precedence
		}
		x.TakeSandbox(d.Sandboxes.Acquire(name))
		defer func() { x.Sandbox.Release() }() // read x.Sandbox at the end, because Admit or an import may replace it
		x.SetHeader("X-Sandbox", x.Sandbox.Name)
		// A request for an unknown path also counts as use by the sandbox's attendee.
		if op == rest.Unmatched && !isAdmin(x) && x.Sandbox.Use() {
			d.Sandboxes.NoteChange()
		}
		return next(x)
	}
}

// Refuse refuses requests with too many lines of one header (431), with an invalid sandbox name or
// an unsupported * (400), and for a sandbox of another replica (404). If the sandbox is missing, it
// refuses operations that need one and do not create it (404), and operations that create it if
// there is no room for it (503). If the operation requires a key, [Door.Admit] returns the 404 for
// a missing sandbox instead, after the key has been checked. The 404 therefore does not show callers
// without a key which sandboxes exist.
func (d Door) Refuse(op *rest.Operation, next rest.Handler) rest.Handler {
	needs, shard := op.NeedsSandbox(), d.Sandboxes.Options.Shard
	wantsKey := len(d.Keys.ring(op.Kind)) > 0
	refusal := func(x *rest.Exchange) error {
		if err := boundHeaders(x.R.Header); err != nil {
			return refuse(x, err)
		}
		switch {
		case x.Sandbox == nil && !x.Everywhere():
			_, err := x.SandboxName()
			return err
		case x.Sandbox == nil && !op.Everywhere:
			return rest.BadParameter("sandbox", `"*" stands for all sandboxes only where the admin API changes them: `+
				`reset, undo, snapshots, clock, operations, faults, PUT /admin/state and DELETE /admin/requests, and `+
				`in GET /admin/events; name one`)
		case x.Sandbox == nil || !needs:
			return nil
		}
		if shard != "" {
			if err := shard.Check(sandbox.Name{Canonical: x.Sandbox.Name, Title: x.Sandbox.Title}); err != nil {
				return refuse(x, err)
			}
		}
		switch {
		case x.Sandbox.Registered(), d.makesNone(op) && wantsKey:
			return nil
		case d.makesNone(op):
			return refuse(x, d.unknownSandbox(x))
		case !d.Sandboxes.HasRoom():
			return refuse(x, registry.ErrLimit)
		}
		return nil
	}
	return func(x *rest.Exchange) error {
		if err := refusal(x); err != nil {
			return err
		}
		return next(x)
	}
}

// Admit registers a new sandbox, or refuses the request (404, 409 or 503). If the operation uses the
// sandbox (see [rest.Operation.UsesSandbox]), the sandbox counts as active until the response ends.
// A write through the control plane claims the sandbox, which protects it from eviction.
//
// At the end of the request, Admit notes a change if the request may have changed the state that
// --keep saves. Every write counts, even a failed one, and so does every request to which a fault
// rule was applied.
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
			return refuse(x, d.unknownSandbox(x))
		}
		// In the control plane, only requests with the sandbox's key count as use. The teacher may
		// have sent the others.
		if (x.ByOwner || service) && x.Sandbox.Use() {
			d.Sandboxes.NoteChange()
		}
		if !registers {
			return next(x)
		}
		if !x.Sandbox.Registered() {
			if err := d.register(x); err != nil {
				return err
			}
		}
		sb := x.Sandbox // next may replace x.Sandbox
		if op.Kind == rest.Admin {
			sb.Claim()
		}
		sb.Touch(x.Came)
		defer func() { sb.Touch(sandbox.Machine()) }()
		return next(x)
	}
}

// register registers the request's new sandbox. If another sandbox of this name was registered in
// the meantime, the request uses that sandbox instead.
func (d Door) register(x *rest.Exchange) error {
	registered, err := d.Sandboxes.Register(x.Sandbox)
	if err != nil {
		return refuse(x, err)
	}
	if registered == x.Sandbox {
		return nil
	}
	x.TakeSandbox(registered)
	return x.CheckOwner() // the sandbox may have become private since Acquire
}

// makesNone reports whether the operation returns a 404 instead of creating a missing sandbox.
func (d Door) makesNone(op *rest.Operation) bool {
	return d.Explicit && !op.Makes || !op.UsesSandbox()
}

// unknownSandbox returns the 404 for a missing sandbox, with advice on how to create it.
func (d Door) unknownSandbox(x *rest.Exchange) error {
	create := "PUT /admin/sandboxes/" + url.PathEscape(x.Sandbox.Title)
	why := "; the first request to the service creates it, or " + create
	switch door, err := d.Sandboxes.Door(); {
	case err == nil && door.Ended:
		why = "; the workshop has ended, and its sandboxes are gone"
	case err == nil:
		why = "; attendees of the workshop get theirs at " + rest.JoinPath + ", and the teacher creates others with " +
			create
	case d.Explicit:
		why = ", and requests do not create any (--explicit-sandboxes); create it with " + create
	}
	return rest.Refuse("unknown_sandbox", "there is no sandbox "+field.Quote(x.Sandbox.Title)+why)
}

// maxHeaderLines is the maximum number of lines of one header in a request.
const maxHeaderLines = 100

// boundHeaders returns a 431 if the request has too many lines of one header. Without this limit,
// each fault rule with a condition on the header would have to read all the lines.
func boundHeaders(header http.Header) error {
	for name, lines := range header {
		if len(lines) > maxHeaderLines {
			return rest.Refuse("too_many_header_lines",
				fmt.Sprintf("the request has %d lines of the header %s: send at most %d", len(lines),
					field.Abbreviate(name), maxHeaderLines))
		}
	}
	return nil
}

// refuse removes the X-Sandbox header and returns err. It is for requests that get no sandbox.
func refuse(x *rest.Exchange, err error) error {
	delete(x.W.Header(), "X-Sandbox")
	return err
}
