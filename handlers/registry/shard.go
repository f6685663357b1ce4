package registry

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Shard is the name of one of several replicas behind one address. The canonical names of a
// replica's sandboxes, except the default one, end in a dot and the replica's Shard, so that a load
// balancer can find the replica from the name. With the empty Shard, the server has all sandboxes.
type Shard string

var shards = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// ValidShard reports whether the text can be a shard: [a-z0-9][a-z0-9-]{0,30}.
func ValidShard(text string) bool { return shards.MatchString(text) }

// ErrShard means that a sandbox name belongs to another replica or to none. Every method of
// [Registry] that parses a name and returns [sandbox.ErrBadName] may also return ErrShard.
var ErrShard = field.Refusal("unknown_sandbox", "is not on this replica")

// Check returns [ErrShard], with advice, if the name does not belong to the shard. The shard must
// not be empty.
func (s Shard) Check(name sandbox.Name) error {
	if strings.HasSuffix(name.Canonical, "."+string(s)) {
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

// parse is like [sandbox.ParseName], but also returns [ErrShard] if the name does not belong to
// this shard.
func (s Shard) parse(text string) (sandbox.Name, error) {
	name, err := sandbox.ParseName(text)
	if err != nil || s == "" {
		return name, err
	}
	return name, s.Check(name)
}

// assign returns a canonical name on the shard: text, followed by suffix and the shard. It
// truncates text if the name would be too long. All characters of text must be valid in a canonical
// name.
func (s Shard) assign(text, suffix string) string {
	if s != "" {
		suffix += "." + string(s)
	}
	return strings.TrimRight(text[:min(len(text), sandbox.MaxCanonical-len(suffix))], "._-") + suffix
}

// assignLocked returns an unused name that starts with the text, shortened if necessary. On a
// shard, the name has a random part, so that a replica that has lost its sandboxes does not assign
// the same name again. Without a shard, the name has a number if the text is already a name in use.
func (r *Registry) assignLocked(text string) string {
	suffix := ""
	for n := 2; ; n++ {
		if r.Options.Shard != "" {
			suffix = "-" + strings.ToLower(rand.Text()[:8])
		}
		if name := r.Options.Shard.assign(text, suffix); r.sandboxes[name] == nil {
			return name
		}
		suffix = fmt.Sprintf("-%d", n)
	}
}

// AnyName returns a random name that cannot be guessed.
func (r *Registry) AnyName() string {
	return r.Options.Shard.assign(strings.ToLower(rand.Text()[:16]), "")
}
