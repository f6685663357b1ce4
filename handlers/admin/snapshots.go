package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// Snapshot describes a snapshot.
type Snapshot struct {
	Name      string              `json:"name"`
	CreatedAt time.Time           `json:"createdAt"` // by the sandbox's clock
	Counts    store.Counts        `json:"counts"`
	Changes   *store.ChangeCounts `json:"changes,omitempty"` // the numbers of differences between the current data and the snapshot; nil if not requested
}

func snapshotView(s *sandbox.Snapshot) Snapshot {
	return Snapshot{Name: s.Name, CreatedAt: s.Created, Counts: s.State.Counts()}
}

func (s *Server) listSnapshots(x *rest.Exchange) error {
	q := x.ReadQuery()
	changes := q.Bool("changes")
	if err := q.Err(); err != nil {
		return err
	}
	snapshots := []Snapshot{}
	now := x.Sandbox.Store.View()
	for _, snapshot := range x.Sandbox.Snapshots.List() {
		view := snapshotView(snapshot)
		if changes != nil && *changes {
			view.Changes = new(now.CountChanges(snapshot.State))
		}
		snapshots = append(snapshots, view)
	}
	return x.JSON(http.StatusOK, snapshots)
}

func (s *Server) keepSnapshot(x *rest.Exchange) error {
	name, err := x.PathName("snapshotName")
	if err != nil {
		return err
	}
	snapshot, created, err := x.Sandbox.TakeSnapshot(name)
	if err != nil {
		return err
	}
	return x.JSON(createdOrOK(created), snapshotView(snapshot))
}

func (s *Server) dropSnapshot(x *rest.Exchange) error {
	name, err := x.PathName("snapshotName")
	if err != nil {
		return err
	}
	if err := x.Sandbox.Snapshots.Drop(name); err != nil {
		return err
	}
	return x.NoContent()
}

func (s *Server) restoreSnapshot(x *rest.Exchange) error {
	name, err := x.PathName("snapshotName")
	if err != nil {
		return err
	}
	if err := x.Sandbox.Restore(name); err != nil {
		return err
	}
	return x.JSON(http.StatusOK, s.summary(x))
}

// createdOrOK returns the status of a successful PUT: 201 if it created something, else 200.
func createdOrOK(made bool) int {
	if made {
		return http.StatusCreated
	}
	return http.StatusOK
}
