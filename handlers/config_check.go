package handlers

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docker/go-units"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// Check validates the configuration. The error is [ConfigProblems], with all problems at once.
// [New] calls Check.
func (c *Config) Check() error { return c.CheckFlags(func(string) bool { return false }) }

// CheckFlags is Check for a program whose flags set the configuration. given reports whether a flag
// was given; its zero value is then not the default.
func (c *Config) CheckFlags(given func(flag string) bool) error {
	k := &configChecker{given: given}
	k.world(c)
	k.sizes(c)
	k.strings(c)
	k.dates(c)
	k.behaviour(c)
	k.bounds(c)
	k.replica(c)
	k.public(c)
	if len(c.CA) > 0 && !validPEM(c.CA) {
		k.refuse("CA", "tls", "must be certificates in the PEM format and nothing else, since anybody can read it")
	}
	if len(k.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(k.problems, func(a, b ConfigProblem) int { return a.place() - b.place() })
	return k.problems
}

// tooLittleMemory reports that nearly all memory was in use before the first request.
func (c *Config) tooLittleMemory(used int64) error {
	k := &configChecker{}
	k.refuse("MaxMemory", "max-memory", "of %s is too little: %s are in use before the first request; allow at least %dMiB, or start with less data",
		units.BytesSize(float64(c.MaxMemory)), units.BytesSize(float64(used)), memory.LeastLimit(used+leastFree)>>20)
	return k.problems
}

type configChecker struct {
	given    func(flag string) bool
	problems ConfigProblems
}

func (k *configChecker) refuse(name, flag, format string, args ...any) {
	k.problems = append(k.problems, ConfigProblem{field.Problem{Field: name, Message: fmt.Sprintf(format, args...)}, flag})
}

// tooFewBytes formats a lower bound that was missed, with a hint if the number looks like MiB or
// the like.
func tooFewBytes(n, least int64) string {
	message := fmt.Sprintf("must be at least %s, not %s", units.BytesSize(float64(least)), units.BytesSize(float64(n)))
	if n > 0 && n < 1<<20 {
		message += "; a number without a unit is in bytes"
	}
	return message
}

// world refuses settings that a world contains.
func (k *configChecker) world(c *Config) {
	if c.World == nil {
		return
	}
	since, sunset := (&Config{}).dates()
	isSince, isSunset := c.dates()
	for _, part := range []struct {
		set        bool
		name, flag string
	}{
		{c.Baseline != nil, "Baseline", "fixtures"},
		{c.Seed != nil, "Seed", "seed"},
		{c.Sizes != nil, "Sizes", "pets"},
		{!isSince.Equal(since), "DeprecatedSince", "deprecated-since"},
		{!isSunset.Equal(sunset), "Sunset", "sunset"},
		{c.EnforceSunset, "EnforceSunset", "enforce-sunset"},
		{c.Latency.Max > 0, "Latency", "latency"},
		{c.ErrorRate > 0, "ErrorRate", "error-rate"},
	} {
		if part.set {
			k.refuse(part.name, part.flag, "is part of a world and cannot be combined with one: give one or the other")
		}
	}
}

// sizes validates the sizes, and refuses sizes that do not describe the baseline: exported worlds
// would have other data.
func (k *configChecker) sizes(c *Config) {
	if c.Sizes == nil {
		return
	}
	problems, _ := errors.AsType[fixtures.Problems](c.Sizes.Check())
	for _, problem := range problems {
		k.refuse("Sizes."+strings.ToUpper(problem.Field[:1])+problem.Field[1:], problem.Field, "%s", problem.Message)
	}
	seed := uint64(DefaultSeed)
	if c.Seed != nil {
		seed = *c.Seed
	}
	if c.Baseline != nil && len(problems) == 0 && !fixtures.Resembles(c.Baseline, seed, *c.Sizes) {
		k.refuse("Sizes", "pets", "cannot be combined with a Baseline that is not the fake data of these sizes and seed %d; leave Sizes out, or give the Seed of the data", seed)
	}
}

// strings checks keys, origins and hosts.
func (k *configChecker) strings(c *Config) {
	const badKey = "must consist of visible ASCII characters without spaces, since it is sent in a header"
	for i, key := range c.APIKeys {
		which := "" // A key is a secret, so its number alone names it.
		if len(c.APIKeys) > 1 {
			which = fmt.Sprintf("(%d of %d) ", i+1, len(c.APIKeys))
		}
		switch {
		case key == "":
			k.refuse("APIKeys", "api-key", "%sis empty; give it a value or leave it out", which)
		case !sandbox.ValidKey(key):
			k.refuse("APIKeys", "api-key", "%s", which+badKey)
		}
	}
	switch {
	case c.AdminKey == "" && k.given("admin-key"):
		k.refuse("AdminKey", "admin-key", "is empty, which would leave the control plane open; give it a value or leave it out")
	case c.AdminKey != "" && !sandbox.ValidKey(c.AdminKey):
		k.refuse("AdminKey", "admin-key", badKey)
	}
	const badOrigin = "must be an origin, scheme://host[:port], such as http://app.example:5173, not %q"
	for _, origin := range c.AdminOrigins {
		if !middleware.ValidOrigin(origin) || strings.Contains(origin, "*") { // compared as a whole, so that * would match nothing
			k.refuse("AdminOrigins", "admin-origin", badOrigin, origin)
		}
	}
	for _, host := range c.AllowedHosts {
		if !middleware.ValidHost(host) {
			k.refuse("AllowedHosts", "allowed-host", "must be a host name such as shop.example, without a port, not %q", host)
		}
	}
	for _, host := range c.WebhookHosts {
		if !middleware.ValidHost(host) {
			k.refuse("WebhookHosts", "webhook-host", "must be a host name such as hooks.example, without a port, not %q", host)
		}
	}
	for _, proxy := range c.TrustedProxies {
		if _, ok := middleware.ParseProxy(proxy); !ok {
			k.refuse("TrustedProxies", "trusted-proxy", "must be a network such as 10.0.0.0/8, or an address, not %q", proxy)
		}
	}
	for _, origin := range c.CORSOrigins {
		if !middleware.ValidOrigin(origin) && origin != "*" {
			k.refuse("CORSOrigins", "cors-origin", badOrigin, origin)
		}
	}
}

func (k *configChecker) dates(c *Config) {
	l := sandbox.Lifecycle{Deprecated: true}
	l.DeprecatedSince, l.Sunset = c.dates()
	for _, flaw := range l.Check() {
		switch flaw.Field {
		case "/deprecatedSince":
			k.refuse("DeprecatedSince", "deprecated-since", "%s", flaw.Message)
		case "/sunset":
			k.refuse("Sunset", "sunset", "%s", flaw.Message)
		}
	}
}

func (k *configChecker) behaviour(c *Config) {
	if !c.Latency.valid() {
		k.refuse("Latency", "latency", "%s, not %v..%v", latencyHelp, c.Latency.Min, c.Latency.Max)
	}
	if !validShare(c.ErrorRate) {
		k.refuse("ErrorRate", "error-rate", "must be from 0 to 1, not %v", c.ErrorRate)
	}
	if err := sandbox.CheckRateLimit(c.RateLimit); err != nil {
		k.refuse("RateLimit", "rate-limit", "%v", err)
	}
}

// validPEM reports whether the text is certificates and nothing else, such as a private key.
func validPEM(text []byte) bool {
	certificates := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if _, err := x509.ParseCertificate(block.Bytes); err != nil || block.Type != "CERTIFICATE" {
			return false
		}
		text = rest
		certificates++
	}
	return certificates > 0 && len(bytes.TrimSpace(text)) == 0
}

// maxReplica bounds a header that every response carries.
const maxReplica = 100

func (k *configChecker) replica(c *Config) {
	switch {
	case c.Sharded && c.Replica == "":
		k.refuse("Replica", "replica", "must name this replica, since the names of its sandboxes end in it (--sharded)")
	case c.Sharded && !sandbox.ValidShard(c.Replica):
		k.refuse("Replica", "replica", "must be 1 to 31 characters from a-z, 0-9 and \"-\", the first no \"-\", "+
			"since the names of sandboxes end in it (--sharded), not %q", c.Replica)
	case c.Replica == "" && !k.given("replica"):
	case len(c.Replica) > maxReplica, !sandbox.ValidKey(c.Replica):
		k.refuse("Replica", "replica", "must be 1 to %d visible ASCII characters without spaces, since it is sent in a header, not %q", maxReplica, c.Replica)
	}
}

func (k *configChecker) bounds(c *Config) {
	if c.MaxRecords < 0 || c.MaxRecords == 0 && k.given("max-records") {
		k.refuse("MaxRecords", "max-records", "must be at least 1, not %d", c.MaxRecords)
	}
	if c.SandboxMemory != 0 && c.SandboxMemory < MinSandboxMemory || c.SandboxMemory == 0 && k.given("sandbox-memory") {
		k.refuse("SandboxMemory", "sandbox-memory", "%s", tooFewBytes(c.SandboxMemory, MinSandboxMemory))
	}
	if c.MaxMemory != 0 && c.MaxMemory < MinMemory || c.MaxMemory == 0 && k.given("max-memory") {
		k.refuse("MaxMemory", "max-memory", "%s", tooFewBytes(c.MaxMemory, MinMemory))
	}
	if c.MaxStanding < 0 {
		k.refuse("MaxStanding", "max-connections", "cannot be negative; 0 is any number")
	}
	switch {
	case c.MaxSandboxes < 0 || c.MaxSandboxes == 0 && k.given("max-sandboxes"):
		k.refuse("MaxSandboxes", "max-sandboxes", "must be at least 1 (the default sandbox), not %d", c.MaxSandboxes)
	case c.MaxSandboxes == 1 && c.Workshop:
		k.refuse("MaxSandboxes", "max-sandboxes", "must be at least 2 in a workshop (the default sandbox and that of an attendee), not 1")
	}
	if c.SandboxTTL < 0 || c.SandboxTTL == 0 && k.given("sandbox-ttl") {
		k.refuse("SandboxTTL", "sandbox-ttl", "must be more than 0, not %v", c.SandboxTTL)
	}
	if c.Journal != nil && *c.Journal < 0 {
		k.refuse("Journal", "journal", "cannot be negative; 0 turns it off")
	}
}
