package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// Snapshot describes a snapshot in a response, without the saved data.
type Snapshot struct {
	Name      string       `json:"name"`
	CreatedAt time.Time    `json:"createdAt"` // by the sandbox's clock
	Counts    store.Counts `json:"counts"`
	// The numbers of differences between the current data and the snapshot; nil if not requested.
	Changes *store.ChangeCounts `json:"changes,omitempty"`
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
		if changes {
			view.Changes = new(now.CountChanges(snapshot.State))
		}
		snapshots = append(snapshots, view)
	}
	return x.JSON(http.StatusOK, snapshots)
}

// ofSnapshot returns a change that concerns the snapshot named in the path.
func ofSnapshot(change func(sb *registry.Entry, name string) (rest.Handler, error)) rest.Change {
	return func(x *rest.Exchange) (rest.Step, error) {
		name, err := x.PathName("snapshotName")
		return func(sb *registry.Entry) (rest.Handler, error) { return change(sb, name) }, err
	}
}

func keepSnapshot(sb *registry.Entry, name string) (rest.Handler, error) {
	snapshot, created, err := sb.TakeSnapshot(name)
	if err != nil {
		return nil, err
	}
	return rest.WithJSON(createdOrOK(created), snapshotView(snapshot)), nil
}

func dropSnapshot(sb *registry.Entry, name string) (rest.Handler, error) {
	return noContent, sb.Snapshots.Drop(name)
}

func (s *Server) restoreSnapshot(sb *registry.Entry, name string) (rest.Handler, error) {
	return s.get, sb.Restore(name)
}

// createdOrOK returns the status of a successful request: 201 if it created something, else 200.
func createdOrOK(made bool) int {
	if made {
		return http.StatusCreated
	}
	return http.StatusOK
}
