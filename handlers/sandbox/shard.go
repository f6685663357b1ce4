package sandbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Shard is the name of one replica of several that share an address. Its sandboxes are those
// whose canonical name ends in a dot and the shard, so that a balancer finds the replica by the
// name alone. The empty Shard has every sandbox.
type Shard string

var shards = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// ValidShard reports whether the text can be a shard: [a-z0-9][a-z0-9-]{0,30}.
func ValidShard(text string) bool { return shards.MatchString(text) }

// ErrShard means that the name of a sandbox leads to another replica, or to none.
var ErrShard = errors.New("is not on this replica")

// Check returns [ErrShard], with what to do, unless sandboxes of the name are this shard's.
func (s Shard) Check(name Name) error {
	if s == "" || strings.HasSuffix(name.Canonical, "."+string(s)) {
		return nil
	}
	i := strings.LastIndexByte(name.Canonical, '.')
	if i > 0 && ValidShard(name.Canonical[i+1:]) && name.Canonical == name.Title {
		return fmt.Errorf("the sandbox %q %w, %s, but on %s; send the request through the balancer, "+
			"and if it came from there, there is no such replica", name.Canonical, ErrShard, s, name.Canonical[i+1:])
	}
	return fmt.Errorf("the sandbox %q %w, %s, as its name does not end in the name of a replica; get one at /join or "+
		"with POST /admin/sandboxes, and name it in the path, as /sandboxes/ada.%[3]s", name.Canonical, ErrShard, s)
}

// parse is [ParseName] for the name of a sandbox of this shard. The error may also be [ErrShard].
func (s Shard) parse(text string) (Name, error) {
	name, err := ParseName(text)
	if err != nil {
		return Name{}, err
	}
	return name, s.Check(name)
}

// assign returns the shard's canonical name that begins with the text, which has the characters
// of one, or as much of it as there is room for before the suffix.
func (s Shard) assign(text, suffix string) string {
	if s != "" {
		suffix += "." + string(s)
	}
	return strings.TrimRight(text[:min(len(text), maxCanonical-len(suffix))], "._-") + suffix
}

// assignLocked returns a new name that begins with the text: on a shard with a random part, so
// that a replica which has lost its sandboxes gives no name a second time, and otherwise with a
// number if the text is taken.
func (r *Registry) assignLocked(text string) string {
	suffix := ""
	for n := 2; ; n++ {
		if r.options.Shard != "" {
			suffix = "-" + strings.ToLower(rand.Text()[:8])
		}
		if name := r.options.Shard.assign(text, suffix); r.sandboxes[name] == nil {
			return name
		}
		suffix = fmt.Sprintf("-%d", n)
	}
}

// AnyName returns a new name, which nobody can guess, for a sandbox that is to be made.
func (r *Registry) AnyName() string {
	return r.options.Shard.assign(strings.ToLower(rand.Text()[:16]), "")
}
