package handlers

import (
	"errors"
	"time"

	"github.com/spf13/pflag"
)

// Flags adds the flags that are the configuration's own to f, bound to c's
// fields. Those that c leaves zero get their defaults.
func (c *Config) Flags(f *pflag.FlagSet) {
	c.DeprecatedSince, c.Sunset = DefaultDeprecatedSince(), DefaultSunset()
	f.BoolVar(&c.Strict, "strict", false, "refuse unknown fields and query parameters")
	f.StringArrayVar(&c.APIKeys, "api-key", nil, "`key` that every request to the service must bear; repeatable")
	f.StringVar(&c.AdminKey, "admin-key", "", "`key` that every request to the control plane must bear")
	f.StringArrayVar(&c.AdminOrigins, "admin-origin", nil, "`origin` whose pages may use the control plane, besides loopback ones; repeatable")
	f.StringArrayVar(&c.AllowedHosts, "allowed-host", nil, "`host` name under which the control plane answers, besides loopback ones; repeatable")
	f.StringArrayVar(&c.CORSOrigins, "cors-origin", nil, "`origin` whose pages may use the service, instead of any; repeatable")
	f.Var((*dateValue)(&c.DeprecatedSince), "deprecated-since", "`date` since which getPet is deprecated")
	f.Var((*dateValue)(&c.Sunset), "sunset", "`date` on which getPet goes away")
	f.BoolVar(&c.EnforceSunset, "enforce-sunset", false, "answer 410 from the sunset on")
	f.IntVar(&c.MaxRecords, "max-records", DefaultMaxRecords, "`number` of pets, categories, orders and messages that can be added to the first data")
}

// dateValue is a flag that is a date, meaning its first instant in UTC, or a
// date-time of RFC 3339.
type dateValue time.Time

func (d *dateValue) Set(text string) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			*d = dateValue(t.UTC())
			return nil
		}
	}
	return errors.New("must be a date such as 2026-01-31, or a date and time such as 2026-01-31T09:30:00Z")
}

func (d *dateValue) String() string {
	t := time.Time(*d)
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

func (d *dateValue) Type() string { return "date" }
