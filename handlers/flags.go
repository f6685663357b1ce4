package handlers

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"example.com/petstore/handlers/sandbox"
)

// Flags adds the flags that are the configuration's own to f, bound to c's
// fields. Those that c leaves zero get their defaults.
func (c *Config) Flags(f *pflag.FlagSet) {
	c.AccessFlags(f)
	c.BehaviourFlags(f)
	c.BoundFlags(f)
}

// AccessFlags adds the flags that say who may use the server.
func (c *Config) AccessFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&c.APIKeys, "api-key", nil, "`key` that every request to the service must bear; repeatable")
	f.StringVar(&c.AdminKey, "admin-key", "", "`key` that every request to the control plane must bear")
	f.StringArrayVar(&c.AdminOrigins, "admin-origin", nil, "`origin` whose pages may use the control plane, besides loopback ones; repeatable")
	f.StringArrayVar(&c.AllowedHosts, "allowed-host", nil, "`host` name under which the control plane answers, besides loopback ones; repeatable")
	f.StringArrayVar(&c.CORSOrigins, "cors-origin", nil, "`origin` whose pages may use the service, instead of any; repeatable")
}

// BehaviourFlags adds the flags that say how the server behaves.
func (c *Config) BehaviourFlags(f *pflag.FlagSet) {
	c.DeprecatedSince, c.Sunset = DefaultDeprecatedSince(), DefaultSunset()
	f.BoolVar(&c.Strict, "strict", false, "refuse unknown fields and query parameters")
	f.Var((*dateValue)(&c.DeprecatedSince), "deprecated-since", "`date` since which getPet is deprecated")
	f.Var((*dateValue)(&c.Sunset), "sunset", "`date` on which getPet goes away")
	f.BoolVar(&c.EnforceSunset, "enforce-sunset", false, "answer 410 from the sunset on")
	f.Var(&c.Latency, "latency", "`time` that every answer of the service waits: 200ms, or 200ms..800ms for an even spread")
	f.Var((*shareValue)(&c.ErrorRate), "error-rate", "`share` of the service's requests, from 0 to 1, that are answered with 503")
	f.Var((*rateValue)(&c.RateLimit), "rate-limit", "`number` of requests a second that each client address may make to a sandbox, such as 10 or 0.5; 0 for any")
}

// BoundFlags adds the flags that bound what a sandbox and the server hold.
func (c *Config) BoundFlags(f *pflag.FlagSet) {
	f.IntVar(&c.MaxSandboxes, "max-sandboxes", DefaultMaxSandboxes, "`number` of sandboxes that there may be, the default one counted")
	f.BoolVar(&c.ExplicitSandboxes, "explicit-sandboxes", false, "make a sandbox only by PUT /admin/sandboxes/NAME or a fork; other requests to one that is not there are answered 404")
	f.DurationVar(&c.SandboxTTL, "sandbox-ttl", DefaultSandboxTTL, "`time` after which an idle sandbox goes; the default one stays")
	f.IntVar(&c.MaxRecords, "max-records", DefaultMaxRecords, "`number` of pets, categories, orders and messages that can be added to the first data")
	c.Journal = new(DefaultJournal)
	f.IntVar(c.Journal, "journal", DefaultJournal, "`number` of requests that each sandbox's journal keeps; 0 for no journal")
}

// dateValue is a flag that is a date, meaning its first instant in UTC, or a
// date-time of RFC 3339.
type dateValue time.Time

func (d *dateValue) Set(text string) error {
	day, wrong := sandbox.ParseDay(text)
	if wrong != "" {
		return errors.New(wrong)
	}
	*d = dateValue(day)
	return nil
}

func (d *dateValue) String() string { return sandbox.FormatDay(time.Time(*d)) }

func (d *dateValue) Type() string { return "date" }
