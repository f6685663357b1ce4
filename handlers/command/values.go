package command

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
)

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

// latencyValue is a flag that is a time, or a range of times.
type latencyValue struct{ *handlers.Latency }

func (latencyValue) Type() string { return "latency" }

// shareValue is a flag that is a number from 0 to 1.
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

// rateValue is a flag that is a number of requests a second.
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
