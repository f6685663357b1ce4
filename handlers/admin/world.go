package admin

import (
	"io"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// exportWorld returns the whole sandbox as one file.
func (s *Server) exportWorld(x *rest.Exchange) error {
	q := x.ReadQuery()
	data := q.Bool("data")
	if err := q.Err(); err != nil {
		return err
	}
	return x.Written("application/json", func(w io.Writer) error {
		return world.Write(w, x.Sandbox.Sandbox, data, x.Hold)
	})
}

// importWorld replaces the whole sandbox with the contents of the body. If any part of the body is
// invalid, nothing changes, and no sandbox is created.
func (s *Server) importWorld(x *rest.Exchange) error {
	body, err := x.Body()
	if err != nil {
		return err
	}
	q := x.ReadQuery()
	draw := q.OptionalInt("draw", 1, store.MaxID)
	if err := q.Err(); err != nil {
		return err
	}
	if err := wantObject(body, "GET /admin/world"); err != nil {
		return err
	}
	read, err := world.Read(body, x.Sandbox.Sandbox, x.Reserve)
	if err != nil {
		return err
	}
	if draw != nil {
		read.Draw = uint64(*draw)
	}
	entered, err := s.Sandboxes.Load(x.Sandbox, read)
	if entered != nil && entered != x.Sandbox {
		x.TakeSandbox(entered)
	}
	if err != nil {
		return err
	}
	return s.get(x)
}
