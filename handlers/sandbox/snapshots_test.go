package sandbox

import (
	"fmt"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

func TestSnapshots(t *testing.T) {
	t.Parallel()
	sb := newSandbox()
	first := sb.Store.View()
	if _, err := sb.Update(func(tx *store.Tx) (journal.Event, error) {
		_, err := tx.CreateMessage(store.Message{})
		return journal.Event{}, err
	}); err != nil {
		t.Fatal(err)
	}
	second := sb.Store.View()
	for i, keep := range []struct {
		state *store.State
		isNew bool
	}{{first, true}, {second, false}} {
		kept, isNew, err := sb.Snapshots.Take("mine", store.Kept{State: keep.state}, start.Add(time.Duration(i)))
		if err != nil || isNew != keep.isNew || kept.Name != "mine" || kept.State != keep.state || !kept.Created.Equal(start.Add(time.Duration(i))) {
			t.Errorf("Take %d = %+v, %t, %v", i, kept, isNew, err)
		}
	}
	sb.Reset()
	wantErr(t, "Restore", sb.Restore("mine"), nil)
	if sb.Store.View() != second {
		t.Error("Restore returned to another state")
	}
	wantErr(t, "Undo", sb.Undo(1), nil)
	if sb.Store.View() != first {
		t.Error("Undo did not take back the restore")
	}
	wantErr(t, "Undo of nothing", sb.Undo(1), ErrHistory)
	wantErr(t, "Restore of none", sb.Restore("other"), ErrNoSnapshot)
	wantErr(t, "Drop of none", sb.Snapshots.Drop("other"), ErrNoSnapshot)
	_, _, err := sb.Snapshots.Take("Mine", store.Kept{State: first}, start)
	wantErr(t, "Take under a bad name", err, ErrBadSnapshotName)
	for i := range MaxSnapshots - 1 {
		_, _, err := sb.Snapshots.Take(fmt.Sprint("s", i), store.Kept{State: first}, start)
		wantErr(t, "Take", err, nil)
	}
	_, _, err = sb.Snapshots.Take("one-more", store.Kept{State: first}, start)
	wantErr(t, "Take of one more", err, ErrSnapshotFull)
	if _, isNew, err := sb.Snapshots.Take("mine", store.Kept{State: first}, start); isNew || err != nil {
		t.Errorf("Take in place of another = %t, %v", isNew, err)
	}
	wantErr(t, "Drop", sb.Snapshots.Drop("mine"), nil)
	if list := sb.Snapshots.List(); len(list) != MaxSnapshots-1 || list[0].Name != "s0" || list[1].Name != "s1" || list[2].Name != "s10" {
		t.Errorf("List = %d snapshots, in another order than by name", len(list))
	}
}
