package command

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/docker/go-units"
	"github.com/spf13/pflag"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
)

// badValue describes an invalid value of a flag, which it calls by the name under which it was
// given. It returns other errors as they are.
func badValue(name string, err error) error {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	return fmt.Errorf("%s %s, not %q", name, mustBe(invalid), invalid.GetValue())
}

// mustBe describes the values of the flag. Our own flag types do that themselves.
func mustBe(invalid *pflag.InvalidValueError) string {
	switch invalid.GetFlag().Value.Type() {
	case "int":
		return "must be a whole number of at most 18 digits"
	case "uint64":
		return "must be a whole number from 0 to 18446744073709551615"
	case "bool":
		return "must be true or false"
	case "duration":
		return "must be a time such as 90s, 10m or 1h30m"
	}
	return invalid.Unwrap().Error()
}

// levelValue is the value of a flag for a log level.
type levelValue slog.Level

func (l *levelValue) Set(text string) error {
	if (*slog.Level)(l).UnmarshalText([]byte(text)) != nil {
		return errors.New("must be debug, info, warn or error")
	}
	return nil
}

func (l *levelValue) String() string { return strings.ToLower(slog.Level(*l).String()) }

func (l *levelValue) Type() string { return "level" }

// dateValue is the value of a flag for a date, which means its first instant in UTC, or an RFC 3339
// date-time.
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

// latencyValue is the value of a flag for a duration or a range of durations.
type latencyValue struct{ *handlers.Latency }

func (latencyValue) Type() string { return "latency" }

// shareValue is the value of a flag for a number from 0 to 1.
type shareValue float64

func (s *shareValue) Set(text string) error {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || (&handlers.Config{ErrorRate: share}).Check() != nil {
		return errors.New("must be a number from 0 to 1, such as 0.1 for one request in ten")
	}
	*s = shareValue(share)
	return nil
}

func (s *shareValue) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

func (s *shareValue) Type() string { return "share" }

// rateValue is the value of a flag for requests per second.
type rateValue float64

func (r *rateValue) Set(text string) error {
	requests, err := strconv.ParseFloat(text, 64)
	if err == nil {
		err = sandbox.CheckRateLimit(requests)
	}
	if err != nil {
		return fmt.Errorf("must be a number of requests a second from %v to %v, such as 10 or 0.5, or 0 for any", sandbox.MinRateLimit, sandbox.MaxRateLimit)
	}
	*r = rateValue(requests)
	return nil
}

func (r *rateValue) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) }

func (r *rateValue) Type() string { return "number" }

// bytesValue is the value of a flag for a number of bytes, with or without a unit.
type bytesValue int64

func (b *bytesValue) Set(text string) error {
	read := units.RAMInBytes // M and MiB, as in Docker
	if lower := strings.ToLower(text); strings.HasSuffix(lower, "b") && !strings.HasSuffix(lower, "ib") {
		read = units.FromHumanSize // MB, a million bytes
	}
	n, err := read(text)
	if err != nil || n < 0 {
		return errors.New("must be a number of bytes such as 268435456, 256MiB, 256MB or 2GiB")
	}
	*b = bytesValue(n)
	return nil
}

func (b *bytesValue) String() string {
	if *b == 0 {
		return ""
	}
	return units.BytesSize(float64(*b))
}

func (b *bytesValue) Type() string { return "bytes" }
