package sandbox

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
)

// maxKey is how many characters the key of a sandbox may have.
const maxKey = 200

// ErrBadKey means that a text cannot be the key of a sandbox.
var ErrBadKey = fmt.Errorf("must have 1 to %d visible ASCII characters without spaces, since it is sent in a header", maxKey)

// Digest is what is kept of a key, and compared: of any two in the same time, and of no use
// to who reads it in memory.
type Digest [sha256.Size]byte

// DigestOf returns the digest of a key.
func DigestOf(key string) Digest { return sha256.Sum256([]byte(key)) }

// Is reports whether both are of one key.
func (d *Digest) Is(other *Digest) bool { return subtle.ConstantTimeCompare(d[:], other[:]) == 1 }

// Owner is the key and the privacy of a sandbox from one change of them to the next.
type Owner struct {
	key     Digest
	private bool // whether nobody else may use it
}

// ValidKey reports whether a key can travel as a bearer token.
func ValidKey(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return key != ""
}

// CheckKey returns [ErrBadKey] unless the text can be the key of a sandbox.
func CheckKey(key string) error {
	if !ValidKey(key) || len(key) > maxKey {
		return ErrBadKey
	}
	return nil
}

// Keyed reports whether the sandbox has a key of its own.
func (s *Sandbox) Keyed() bool { return s.owner.Load() != nil }

// Private reports whether the service is for who knows the sandbox's key alone.
func (s *Sandbox) Private() bool {
	o := s.owner.Load()
	return o != nil && o.private
}

// OpenedBy reports whether the digest is that of the sandbox's key.
func (s *Sandbox) OpenedBy(d *Digest) bool {
	o := s.owner.Load()
	return o != nil && o.key.Is(d)
}

// KnowsKey reports whether the digest is that of the key of any sandbox.
func (r *Registry) KnowsKey(d *Digest) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.keys[*d] > 0
}

// keyFinder returns a function that reports whether a text is one of the keys or that of a
// sandbox.
func (r *Registry) keyFinder(keys []string) func(text string) bool {
	known := make(map[Digest]bool)
	longest := maxKey
	for _, key := range keys {
		if key != "" {
			known[DigestOf(key)] = true
		}
		longest = max(longest, len(key))
	}
	return func(text string) bool {
		if len(known) == 0 && r.keyed.Load() == 0 || len(text) > longest || !ValidKey(text) {
			return false // without the digest, which takes a while
		}
		digest := DigestOf(text)
		return known[digest] || r.KnowsKey(&digest)
	}
}

// Ownership is what the key of a sandbox is to be. The zero Ownership leaves it as it is.
type Ownership struct {
	Key     *string // that passes [CheckKey]; empty: it is to have none, and so be for all; nil: the one that it has
	Private *bool   // whether it is for who knows its key alone; nil: as it is
}

// ownLocked gives a sandbox its key, and returns it if it is a new one. What is to be
// private and has no key is given one that nobody can guess.
func (r *Registry) ownLocked(sb *Sandbox, o Ownership) (key string) {
	before := sb.owner.Load()
	next := Owner{}
	if before != nil {
		next = *before
	}
	if o.Private != nil {
		next.private = *o.Private
	}
	switch {
	case o.Key != nil && *o.Key == "":
		r.setOwnerLocked(sb, nil)
		return ""
	case o.Key != nil:
		key = *o.Key
	case before == nil && !next.private:
		return ""
	case before == nil:
		key = rand.Text()
	}
	if key != "" {
		next.key = DigestOf(key)
	}
	r.setOwnerLocked(sb, &next)
	return key
}

// Owner returns the owner that the sandbox has now. Nil means that it has none.
func (s *Sandbox) Owner() *Owner { return s.owner.Load() }

// OwnerChange returns a channel that the next change of the owner closes.
func (s *Sandbox) OwnerChange() <-chan struct{} {
	for {
		if change := s.ownerChange.Load(); change != nil {
			return *change
		}
		s.ownerChange.CompareAndSwap(nil, new(make(chan struct{})))
	}
}

// setOwnerLocked gives a sandbox its owner. Nil means that it has none. What was let in before
// ends, unless nothing changes.
func (r *Registry) setOwnerLocked(sb *Sandbox, to *Owner) {
	before := sb.owner.Load()
	if before == to || before != nil && to != nil && *before == *to {
		return
	}
	if to != nil {
		r.keys[to.key]++
		r.keyed.Add(1)
	}
	sb.owner.Store(to) // in one step, so that what stays private is so all the time
	r.forgetKeyLocked(before)
	if change := sb.ownerChange.Swap(nil); change != nil {
		close(*change)
	}
}

// forgetKeyLocked takes the key of a sandbox out of those that are known.
func (r *Registry) forgetKeyLocked(o *Owner) {
	if o == nil {
		return
	}
	r.keyed.Add(-1)
	if r.keys[o.key]--; r.keys[o.key] == 0 {
		delete(r.keys, o.key)
	}
}
