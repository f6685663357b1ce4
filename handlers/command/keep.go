package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/docker/go-units"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/world"
)

// keepEvery is the interval at which changes are written to the file of --keep.
const keepEvery = time.Minute

// keepGarbage is the most garbage, in bytes, that writing or reading the file may leave before a
// collection.
const keepGarbage = 48 << 20

// keeper saves all sandboxes in the file of --keep. A nil keeper does nothing.
type keeper struct {
	path      string // the file itself if --keep names a link to it
	lock      *os.File
	made      bool // openKeeper has made the lock
	sandboxes *registry.Registry
	most      int64 // the most bytes of a line
	logger    *slog.Logger
	collector *collector

	writing sync.Mutex
	written uint64 // guarded by writing: [registry.Registry.Changed] when the file was last written
}

// openKeeper claims the file of --keep for this process. It returns nil without that flag.
func (o *options) openKeeper(logger *slog.Logger, collector *collector) (*keeper, error) {
	if o.Keep == "" {
		return nil, nil
	}
	k := &keeper{path: o.Keep, logger: logger, collector: collector}
	if path, err := filepath.EvalSymlinks(o.Keep); err == nil {
		k.path = path
	}
	if info, err := os.Stat(k.path); err == nil && !info.Mode().IsRegular() { // before opening it, because opening a pipe blocks
		return nil, k.unusable(errors.New("it is no regular file"))
	}
	_, err := os.Stat(k.path + ".lock")
	k.made = errors.Is(err, fs.ErrNotExist)
	if k.lock, err = os.OpenFile(k.path+".lock", os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, usagef("--keep cannot be used: %w", err)
	}
	if err := k.claim(); err != nil {
		k.lock.Close()
		return nil, fmt.Errorf("another server keeps its sandboxes in %s (%w); end that one, or choose another file with --keep",
			o.Keep, err)
	}
	k.removeLeft()
	probe, err := k.create()
	if err != nil {
		k.close(true)
		return nil, usagef("--keep cannot be used: %w", err)
	}
	k.discard(probe)
	return k, nil
}

// claim locks the lock, unless the server that made it has removed it.
func (k *keeper) claim() error {
	if err := lockFile(k.lock); err != nil {
		return err
	}
	locked, err := k.lock.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(k.lock.Name())
	if err == nil && !os.SameFile(locked, there) {
		err = errors.New("it has just begun")
	}
	return err
}

func (k *keeper) unusable(err error) error {
	return usagef("--keep %s cannot be used, and is left as it is:\n%w", k.path, err)
}

// removeLeft removes temporary files that killed servers have left.
func (k *keeper) removeLeft() {
	directory, prefix := filepath.Dir(k.path), filepath.Base(k.path)+".tmp-"
	entries, _ := os.ReadDir(directory)
	for _, entry := range entries {
		if made, ok := strings.CutPrefix(entry.Name(), prefix); ok && strings.Trim(made, "0123456789") == "" {
			_ = os.Remove(filepath.Join(directory, entry.Name()))
		}
	}
}

// create creates a temporary file beside the one of --keep, and discard removes it.
func (k *keeper) create() (*os.File, error) {
	return os.CreateTemp(filepath.Dir(k.path), filepath.Base(k.path)+".tmp-*")
}

func (k *keeper) discard(file *os.File) {
	file.Close()
	os.Remove(file.Name())
}

// close releases the file for other processes. If the start failed, it also removes a lock that
// this process has made.
func (k *keeper) close(failed bool) {
	if k == nil {
		return
	}
	if failed && k.made {
		_ = os.Remove(k.lock.Name()) // while it is locked
	}
	k.lock.Close()
}

// restore loads the file, if it exists. The error is a usageError.
func (k *keeper) restore(sandboxes *registry.Registry, most int64) error {
	if k == nil {
		return nil
	}
	k.sandboxes, k.most = sandboxes, most
	err := k.read(sandboxes, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // no file yet
	}
	if errors.Is(err, memory.ErrFull) {
		err = fmt.Errorf("%w; start the server with a larger --max-memory", err)
	}
	if err != nil {
		return k.unusable(err)
	}
	k.written = sandboxes.Changed()
	k.logger.Info("sandboxes restored", "sandboxes", sandboxes.Len(), "file", k.path)
	return nil
}

func (k *keeper) read(sandboxes *registry.Registry, most int64) error {
	file, err := os.Open(k.path)
	if err != nil {
		return err
	}
	defer file.Close()
	defer k.collector.bound(keepGarbage)()
	return world.Restore(file, sandboxes, most)
}

// run writes the file every minute if something has changed, until ctx ends.
func (k *keeper) run(ctx context.Context) {
	if k == nil {
		return
	}
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := k.write(); err != nil {
				k.logger.Error("the sandboxes cannot be kept; trying again in a minute", "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// end writes the file for the last time, even without a change, because random draws do not count
// as changes.
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

// write replaces the file unless nothing has changed. The new file gets its name only when it is
// complete and on the disk. The log names sandboxes that are too large to be read again: a line may
// have half of the bytes that a reader accepts, because reading needs memory in addition to what
// was read before.
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
	file, err := k.create()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			k.discard(file)
		}
	}()
	defer k.collector.bound(keepGarbage)()
	left, err := world.Keep(file, k.sandboxes, k.most/2)
	if err != nil {
		return err
	}
	for _, name := range left[:min(len(left), 10)] {
		k.logger.Error("a sandbox is not kept: its world is too large to be read again; drop snapshots, or use a larger --max-memory",
			"sandbox", name, "most", units.BytesSize(float64(k.most/2)), "sandboxes", len(left))
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), k.path); err != nil {
		return err
	}
	k.written = changed
	return syncDirectory(filepath.Dir(k.path))
}
