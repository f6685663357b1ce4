package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docker/go-units"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// Problem describes what is wrong with one field of [Config] or [Program], such as MaxRecords. The
// message is a predicate: with the name of the field or flag as its subject, it forms a sentence.
type Problem struct {
	field.Problem
	Flag string // the flag that sets the field, such as max-records
}

// Problems lists the problems of a [Config] or [Program]: those of single settings in the order of
// the table, and then those of combinations.
type Problems []Problem

// Error returns one line for each problem. A line names the field: "Config.MaxRecords must be at
// least 1, not -1".
func (p Problems) Error() string {
	return p.lines(func(p Problem) string { return "Config." + p.Field })
}

// ByFlag returns one line for each problem. A line begins with the result of name for the flag:
// "--max-records must be at least 1, not -1".
func (p Problems) ByFlag(name func(flag string) string) string {
	return p.lines(func(p Problem) string { return name(p.Flag) })
}

func (p Problems) lines(name func(Problem) string) string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = name(problem) + " " + problem.Message
	}
	return strings.Join(lines, "\n")
}

// Check validates the configuration. The error is a [Problems] value. handlers.New calls Check.
func (c *Config) Check() error {
	p := Program{Config: *c}
	return p.check(func(string) bool { return false })
}

// Check validates the settings. given reports whether the command line or the environment sets a
// flag. A zero value stands for the default, and is not validated, unless the flag is set. The error
// is a [Problems] value.
func (p *Program) Check(given func(flag string) bool) error {
	all := *p
	if p.Fixtures == "" {
		all.Config.Sizes = &p.Fakes
	}
	return all.check(given)
}

// check validates all settings.
func (p *Program) check(given func(flag string) bool) error {
	var k checker
	for _, s := range p.All() {
		if s.Value.isZero() && !given(s.Name) {
			continue
		}
		for _, message := range s.Value.problems(s.IsKey) {
			f, _ := p.field(s.Value.field())
			k.refuse(f.Name, s.Name, "%s", message)
		}
	}
	k.checkProgram(p, given)
	k.checkConfig(p, given("admin-key"))
	if len(k.problems) == 0 {
		return nil
	}
	return k.problems
}

// checker collects problems.
type checker struct{ problems Problems }

func (k *checker) refuse(name, flag, format string, args ...any) {
	k.problems = append(k.problems, Problem{field.Problem{Field: name, Message: fmt.Sprintf(format, args...)}, flag})
}

// checkProgram validates the combinations that involve the program's own settings.
func (k *checker) checkProgram(p *Program, given func(flag string) bool) {
	if p.MCP && p.ExitWithStdin {
		k.refuse("MCP", "mcp", "ends when standard input does, as with --exit-with-stdin: give one or the other")
	}
	switch {
	case p.WaitReady != "": // --tls-cert then names a certificate to trust and needs no key
	case p.TLS && p.TLSCert+p.TLSKey != "":
		k.refuse("TLS", "tls", "makes a certificate; leave it out, or leave out --tls-cert and --tls-key")
	case (p.TLSCert == "") != (p.TLSKey == ""):
		k.refuse("TLSCert", "tls-cert", "and --tls-key go together: give both or neither")
	}
	for _, one := range []contradiction{worldContradicts, fixturesContradict} {
		for _, other := range one.excludes {
			if given(one.setting) && given(other) {
				k.refuse("", other, "%s and cannot be combined with --%s: give one or the other", one.because,
					one.setting)
			}
		}
	}
}

// checkConfig validates the combinations in Config, and the fields that are not in the table of
// settings.
func (k *checker) checkConfig(p *Program, adminKeyGiven bool) {
	c := &p.Config
	k.checkWorld(p)
	k.checkSizes(c)
	k.checkDates(c)
	k.checkPublic(c, adminKeyGiven)
	if c.Sharded && c.Replica == "" {
		k.refuse("Replica", "replica", "must name this replica, since the names of its sandboxes end in it (--sharded)")
	}
	if c.MaxSandboxes == 1 && c.Workshop {
		k.refuse("MaxSandboxes", "max-sandboxes",
			"must be at least 2 in a workshop (one is the default sandbox), not 1")
	}
	if c.Workshop && len(c.APIKeys) > 0 {
		k.refuse("APIKeys", "api-key",
			"closes the service to attendees, whose keys open their sandboxes alone: leave it out in a workshop")
	}
	if c.MaxStanding < 0 {
		k.refuse("MaxStanding", "max-connections", "cannot be negative; 0 is any number")
	}
	if len(c.CA) > 0 && !isCertificates(c.CA) {
		k.refuse("CA", "tls", "must be certificates in the PEM format, without a private key, since anybody can read it")
	}
}

// checkWorld rejects settings that are part of a world, if World is set.
func (k *checker) checkWorld(p *Program) {
	c := &p.Config
	if c.World == nil {
		return
	}
	reject := func(field, flag string) {
		k.refuse(field, flag, "%s and cannot be combined with one: give one or the other", worldContradicts.because)
	}
	if c.Baseline != nil {
		reject("Baseline", "fixtures")
	}
	if c.Sizes != nil {
		reject("Sizes", "pets")
	}
	for _, s := range p.All() {
		f, ofConfig := p.field(s.Value.field())
		if ofConfig && !s.Value.isZero() && slices.Contains(worldContradicts.excludes, s.Name) {
			reject(f.Name, s.Name)
		}
	}
}

// checkSizes validates Sizes. It rejects sizes that are not those of the baseline, because an exported
// world would then recreate different data.
func (k *checker) checkSizes(c *Config) {
	if c.Sizes == nil {
		return
	}
	problems, _ := errors.AsType[field.Problems](c.Sizes.Check())
	for _, problem := range problems {
		name := strings.TrimPrefix(problem.Field, "/")
		k.refuse("Sizes."+strings.ToUpper(name[:1])+name[1:], name, "%s", problem.Message)
	}
	if c.Baseline != nil && c.Baseline.Counts() != c.Sizes.Counts() {
		k.refuse("Sizes", "pets", "are not those of the Baseline; leave Sizes out")
	}
}

// checkDates validates the combination of DeprecatedSince and Sunset.
func (k *checker) checkDates(c *Config) {
	l := lifecycle.Lifecycle{
		Deprecated: true, DeprecatedSince: cmp.Or(c.DeprecatedSince, DefaultDeprecatedSince()),
		Sunset: cmp.Or(c.Sunset, DefaultSunset()),
	}
	for _, flaw := range l.Check() {
		switch flaw.Field {
		case "/deprecatedSince":
			k.refuse("DeprecatedSince", "deprecated-since", "%s", flaw.Message)
		case "/sunset":
			k.refuse("Sunset", "sunset", "%s", flaw.Message)
		}
	}
}

// checkPublic requires an admin key if PublicURL is set, because requests through a proxy can
// appear to come from this machine. It also rejects a public path that starts with the same segment
// as one of the server's own paths.
func (k *checker) checkPublic(c *Config, keyGiven bool) {
	public, err := rest.ParsePublicURL(c.PublicURL)
	if err != nil || public.Origin == "" {
		return
	}
	if c.AdminKey == "" && !keyGiven {
		k.refuse("AdminKey", "admin-key",
			"is required with a public URL, because the proxy also serves the control plane")
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(public.Path, "/"), "/")
	if slices.Contains(OwnSegments(), first) {
		k.refuse("PublicURL", "public-url", "cannot have a path that begins with /%s, like paths of the server", first)
	}
}

// TooLittleMemory returns an error for a MaxMemory that the server nearly used up before the first
// request. used is the number of bytes in use. least is the smallest sufficient MaxMemory.
func (c *Config) TooLittleMemory(used, least int64) error {
	var k checker
	k.refuse("MaxMemory", "max-memory",
		"of %s is too little: %s are in use at the start; set at least %dMiB, or load less data",
		units.BytesSize(float64(c.MaxMemory)), units.BytesSize(float64(used)), least>>20)
	return k.problems
}
