package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/docker/go-units"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/world"
)

// keepEvery is the interval at which changes are saved to the --keep file.
const keepEvery = time.Minute

// keepGarbage is the maximum growth of the heap between collections while the file is read or
// written, in bytes.
const keepGarbage = 48 << 20

// keeper restores all sandboxes from the --keep file, and saves them there. A nil keeper does nothing.
type keeper struct {
	flag      string // --keep, or PETSTORE_KEEP if the environment sets the path; for errors
	path      string // the target if --keep names a symbolic link
	lock      *os.File
	sandboxes *registry.Registry
	most      int64 // the maximum size of a line that restore reads, in bytes
	logger    *slog.Logger
	collector *collector

	writing sync.Mutex
	written uint64 // [registry.Registry.Changed] as of the last write or restore of the file; guarded by writing
}

// openKeeper reserves the --keep file for this process, by locking a second file, whose name ends in
// .lock. It returns a nil keeper if the flag is not set.
func (o *options) openKeeper(logger *slog.Logger, collector *collector) (*keeper, error) {
	if o.Keep == "" {
		return nil, nil
	}
	k := &keeper{flag: o.called("keep"), path: o.Keep, most: o.mostOfFile(), logger: logger, collector: collector}
	if path, err := filepath.EvalSymlinks(o.Keep); err == nil {
		k.path = path
	} else if target, err := os.Readlink(o.Keep); err == nil { // the link's target does not exist yet
		if k.path = target; !filepath.IsAbs(target) {
			k.path = filepath.Join(filepath.Dir(o.Keep), target)
		}
	}
	// Check this before a file is opened, because opening a pipe blocks.
	if info, err := os.Stat(k.path); err == nil && !info.Mode().IsRegular() {
		return nil, k.unusable(errors.New("it is not a regular file"))
	}
	var err error
	if k.lock, err = os.OpenFile(k.path+".lock", os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, usagef("%s %s cannot be used, because a lock file cannot be made beside it: %w", k.flag, k.path, err)
	}
	if err := lockFile(k.lock); err != nil {
		k.lock.Close()
		return nil,
			fmt.Errorf(
				"another server keeps its sandboxes in %s (%w); end that one, or choose another file with --keep",
				o.Keep, err)
	}
	_ = os.Remove(k.next()) // left behind by a server that was killed
	return k, nil
}

func (k *keeper) unusable(err error) error {
	return usagef("%s %s cannot be used, and is left as it is:\n%w", k.flag, k.path, err)
}

// next returns the path of the file that write completes before it replaces the --keep file.
func (k *keeper) next() string { return k.path + ".tmp" }

// close removes the lock file and releases the lock, in this order.
func (k *keeper) close() {
	if k != nil {
		_ = os.Remove(k.lock.Name())
		k.lock.Close()
	}
}

// restore loads the sandboxes from the file if it exists. An error is a usageError.
func (k *keeper) restore(sandboxes *registry.Registry) error {
	if k == nil {
		return nil
	}
	k.sandboxes = sandboxes
	err := k.read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // no file yet
	}
	for _, refused := range []struct {
		err    error
		advice string
	}{
		{memory.ErrFull, "with a larger --max-memory"},
		{registry.ErrLimit, "with a larger --max-sandboxes"},
		{registry.ErrShard, "with the --replica that wrote the file, or without --sharded"},
	} {
		if errors.Is(err, refused.err) {
			err = fmt.Errorf("%w; start the server %s", err, refused.advice)
		}
	}
	if err != nil {
		return k.unusable(err)
	}
	k.written = sandboxes.Changed()
	k.logger.Info("sandboxes restored", "sandboxes", sandboxes.Len(), "file", k.path)
	return nil
}

func (k *keeper) read() error {
	file, err := os.Open(k.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() == 0 {
		return fs.ErrNotExist // such as a new temporary file
	}
	k.collector.bound(keepGarbage)
	defer k.collector.bound(0)
	return world.Restore(file, k.sandboxes, k.most)
}

// run saves changes every minute until ctx is done.
func (k *keeper) run(ctx context.Context) {
	if k == nil {
		return
	}
	every(ctx, keepEvery, func() {
		if err := k.write(); err != nil {
			k.logger.Error("the sandboxes cannot be kept; trying again in a minute", "error", err)
		}
	})
}

// end writes the file for the last time. It writes the file even without a noted change, because
// random draws do not count as changes.
func (k *keeper) end() error {
	if k == nil {
		return nil
	}
	k.sandboxes.NoteChange()
	if err := k.write(); err != nil {
		return fmt.Errorf("the sandboxes are not kept as they were at the end: %w", err)
	}
	return nil
}

// write replaces the file if something has changed since the last write. It replaces the old file
// only after the new file is complete and synced to disk. If the machine loses power soon after
// that, the old file may still be there. write omits sandboxes whose line would be too long to read
// back, and logs the first ten of them. A line may be only half as long as the longest line that
// restore reads, because restore also needs memory for the sandboxes that it has already read.
func (k *keeper) write() (err error) {
	if k == nil {
		return nil
	}
	k.writing.Lock()
	defer k.writing.Unlock()
	changed := k.sandboxes.Changed()
	if changed == k.written {
		return nil
	}
	file, err := os.OpenFile(k.next(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	k.collector.bound(keepGarbage)
	defer k.collector.bound(0)
	left, err := world.Keep(file, k.sandboxes, k.most/2)
	if err != nil {
		return err
	}
	for _, name := range left[:min(len(left), 10)] {
		k.logger.Error(
			"a sandbox is not kept: its world is too large to be read again; drop snapshots, or use a larger "+
				"--max-memory",
			"sandbox", name, "most", units.BytesSize(float64(k.most/2)), "sandboxes", len(left))
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), k.path); err != nil {
		return err
	}
	k.written = changed
	return nil
}
