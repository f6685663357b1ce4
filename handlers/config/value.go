package config

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/docker/go-units"

	"example.com/petstore/handlers/sandbox/lifecycle"
)

// Value gives access to a field of the configuration, and has the field's type, default and bounds.
// Every Value is a [github.com/spf13/pflag.Value].
type Value interface {
	Set(text string) error // the error says which text is valid, as in "must be true or false"
	String() string
	Type() string
	Default() string // in text form; "" means no default

	field() any // pointer to the field
	isZero() bool
	setDefault()
	// problems describes what is wrong with the field's value. If secret is true, the value must
	// not appear in the text, so a list identifies a wrong string by its number.
	problems(secret bool) []string
}

// kind describes how values of one type are parsed and formatted.
type kind[T any] struct {
	name   string // the name of the type, for pflag
	parse  func(text string) (T, error)
	format func(T) string
}

// value is a Value for a field of type T.
type value[T any] struct {
	kind[T]
	at        *T
	byDefault T
	check     func(T) string // returns what is wrong, or ""; nil accepts every value
}

// set returns a Value for the field that target points to.
func set[T any](k kind[T], target *T, byDefault T, check func(T) string) Value {
	return &value[T]{k, target, byDefault, check}
}

func (v *value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.at = parsed
	}
	return err
}

func (v *value[T]) String() string  { return v.format(*v.at) }
func (v *value[T]) Type() string    { return v.name }
func (v *value[T]) Default() string { return v.format(v.byDefault) }
func (v *value[T]) field() any      { return v.at }
func (v *value[T]) setDefault()     { *v.at = v.byDefault }
func (v *value[T]) isZero() bool    { return reflect.ValueOf(v.at).Elem().IsZero() }

func (v *value[T]) problems(bool) []string {
	if v.check != nil {
		if wrong := v.check(*v.at); wrong != "" {
			return []string{wrong}
		}
	}
	return nil
}

// list is a Value that contains several strings. Each call to Set adds one string.
type list struct {
	value[[]string]
	each func(text string) string // returns what is wrong with one string, or ""
}

func texts(at *[]string, each func(text string) string) Value {
	format := func(all []string) string { return strings.Join(all, ",") }
	return &list{value[[]string]{kind[[]string]{"list", nil, format}, at, nil, nil}, each}
}

func (l *list) Set(text string) error {
	*l.at = append(*l.at, text)
	return nil
}

func (l *list) problems(secret bool) (all []string) {
	for i, text := range *l.at {
		wrong := l.each(text)
		if wrong != "" && secret && len(*l.at) > 1 { // identify the string by its number, because it is secret
			wrong = fmt.Sprintf("(%d of %d) %s", i+1, len(*l.at), wrong)
		}
		if wrong != "" {
			all = append(all, wrong)
		}
	}
	return all
}

func onOff(at *bool) Value {
	return set(kind[bool]{"bool", parsed(strconv.ParseBool, "must be true or false"), strconv.FormatBool}, at, false,
		nil)
}

// The kinds of values. Their names are the types that pflag reports.
var (
	text = kind[string]{"string", func(text string) (string, error) { return text, nil },
		func(text string) string { return text }}
	number = kind[int]{"number", parsed(func(text string) (int, error) {
		n, err := strconv.ParseInt(text, 0, strconv.IntSize)
		return int(n), err
	}, "must be a whole number of at most 18 digits"), strconv.Itoa}
	unsigned = kind[uint64]{"number",
		parsed(func(text string) (uint64, error) { return strconv.ParseUint(text, 0, 64) },
			"must be a whole number from 0 to 18446744073709551615"),
		func(n uint64) string { return strconv.FormatUint(n, 10) }}
	duration = unlessZero(kind[time.Duration]{"time",
		parsed(time.ParseDuration, "must be a time such as 90s, 10m or 1h30m"), time.Duration.String})
	date    = kind[time.Time]{"date", parseDate, lifecycle.FormatDay}
	latency = kind[Latency]{"latency", func(text string) (l Latency, err error) { return l, l.Set(text) },
		func(l Latency) string { return l.String() }}
	size  = unlessZero(kind[int64]{"bytes", parseBytes, func(n int64) string { return units.BytesSize(float64(n)) }})
	level = kind[slog.Level]{"level",
		parsed(func(text string) (l slog.Level, err error) { return l, l.UnmarshalText([]byte(text)) },
			"must be debug, info, warn or error"),
		func(l slog.Level) string { return strings.ToLower(l.String()) }}
)

// decimal returns the kind of a number that is checked when it is parsed. message is the text of
// the error.
func decimal(message string, check func(float64) string) kind[float64] {
	return kind[float64]{"decimal", func(text string) (float64, error) {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || check(n) != "" {
			return 0, errors.New(message)
		}
		return n, nil
	}, func(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }}
}

// parseDate parses an RFC 3339 date-time or a date. A date stands for its first instant in UTC.
func parseDate(text string) (time.Time, error) {
	day, wrong := lifecycle.ParseDay(text)
	if wrong != "" {
		return day, errors.New(wrong)
	}
	return day, nil
}

// parseBytes parses a number of bytes, with or without a unit.
func parseBytes(text string) (int64, error) {
	read := units.RAMInBytes // binary units, such as M and MiB, as in Docker
	if lower := strings.ToLower(text); strings.HasSuffix(lower, "b") && !strings.HasSuffix(lower, "ib") {
		read = units.FromHumanSize // decimal units, such as MB
	}
	n, err := read(text)
	if err != nil || n < 0 {
		return 0, errors.New("must be a number of bytes such as 268435456, 256MiB, 256MB or 2GiB")
	}
	return n, nil
}

// parsed returns a function that calls parse. If parse fails, the function returns an error whose
// text is message.
func parsed[T any](parse func(string) (T, error), message string) func(string) (T, error) {
	return func(text string) (T, error) {
		v, err := parse(text)
		if err != nil {
			err = errors.New(message)
		}
		return v, err
	}
}

// unlessZero returns a kind like k that formats the zero value as "", so that --help does not show
// zero as a default.
func unlessZero[T comparable](k kind[T]) kind[T] {
	return kind[T]{k.name, k.parse, func(v T) string {
		if v == *new(T) {
			return ""
		}
		return k.format(v)
	}}
}

// pointer returns the kind of a pointer field, which is nil until it is set.
func pointer[T any](k kind[T]) kind[*T] {
	return kind[*T]{k.name, func(text string) (*T, error) {
		v, err := k.parse(text)
		return &v, err
	}, func(v *T) string {
		if v == nil {
			return ""
		}
		return k.format(*v)
	}}
}
