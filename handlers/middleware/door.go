package middleware

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Door is the one way of a request to its sandbox: [Door.Acquire] finds it,
// [Door.Refuse] and [Door.Register] say who does not get it, and Register makes a new
// one last. What a request acquired is released when its answer has ended.
type Door struct {
	Sandboxes *sandbox.Registry
	Explicit  bool // no request makes a sandbox by naming it
	Keys      Keys
}

// Acquire finds the sandbox that the request names, and answers its name. One that is
// not there serves this request alone, unless it comes to [Door.Register].
func (d Door) Acquire() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			name, err := x.SandboxName()
			if err != nil {
				return next(x) // Refuse says it, unless something else is wrong before
			}
			x.TakeSandbox(d.Sandboxes.Acquire(name))
			defer func() { x.Sandbox.Release() }() // the one that it has in the end
			x.SetHeader("X-Sandbox", x.Sandbox.Name)
			return next(x)
		}
	}
}

// Refuse refuses requests with too many lines of one header (431), and requests whose
// sandbox cannot be had: 400, 404 or 503. Where a key is
// wanted the 404 is left to [Door.Register], since who has none is not to know what
// there is.
func (d Door) Refuse() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if err := rest.BoundHeaders(x.R.Header); err != nil {
				return refuse(x, err)
			}
			switch op := x.Operation; {
			case x.Everywhere() && op.Everywhere:
				return next(x)
			case x.Everywhere():
				return rest.NotEverywhere()
			case x.Sandbox == nil:
				_, err := x.SandboxName()
				return err
			case !op.NeedsSandbox():
				return next(x)
			case d.otherShard(x) != nil:
				return refuse(x, d.otherShard(x))
			case x.Sandbox.Registered():
				return next(x)
			case d.makesNone(op):
				if d.Keys.wantedBy(op.Kind) {
					return next(x)
				}
				return refuse(x, d.unknown(x))
			case !d.Sandboxes.HasRoom():
				return refuse(x, sandbox.ErrLimit)
			}
			return next(x)
		}
	}
}

// Register makes a new sandbox last, now that its request is let in, or refuses the
// request: 404 or 503. The sandbox is in use from now until the answer has ended. A
// write of the control plane claims it: nobody does that to a sandbox that nobody
// would miss.
func (d Door) Register() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			op := x.Operation
			if x.Sandbox == nil {
				return next(x) // it is for all of them
			}
			if op.NeedsSandbox() && !x.Sandbox.Registered() && d.makesNone(op) {
				return refuse(x, d.unknown(x))
			}
			if x.ByOwner || op.TakesFaults() { // what a teacher does in the sandbox is no request of its attendee
				if x.Sandbox.Use() {
					d.Sandboxes.NoteChange()
				}
			}
			if !op.UsesSandbox() || op.Makes {
				return next(x)
			}
			registered, err := d.Sandboxes.Register(x.Sandbox)
			if err != nil {
				return refuse(x, err)
			}
			if registered != x.Sandbox {
				x.TakeSandbox(registered)
				if err := x.CheckOwner(); err != nil { // it was made private meanwhile
					return err
				}
			}
			if op.Kind == rest.Admin {
				registered.Claim()
			}
			registered.Touch()
			defer registered.Touch()
			return next(x)
		}
	}
}

// otherShard returns an error if the sandbox of the request is none of this replica's.
func (d Door) otherShard(x *rest.Exchange) error {
	return d.Sandboxes.Shard().Check(sandbox.Name{Canonical: x.Sandbox.Name, Title: x.Sandbox.Title})
}

// makesNone reports whether the operation is answered 404 where its sandbox is not there.
func (d Door) makesNone(op *rest.Operation) bool {
	return d.Explicit && !op.Makes || !op.UsesSandbox()
}

// unknown says that the sandbox of the request is not there, and how one comes to be.
func (d Door) unknown(x *rest.Exchange) error {
	if door, ok := d.Sandboxes.Door(); ok {
		return rest.UnknownSandbox(x.Sandbox.Title, d.Explicit, &door)
	}
	return rest.UnknownSandbox(x.Sandbox.Title, d.Explicit, nil)
}

// refuse returns the error as the answer to a request that has no sandbox.
func refuse(x *rest.Exchange, err error) error {
	delete(x.W.Header(), "X-Sandbox")
	return err
}
