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

	"example.com/petstore/handlers/sandbox"
)

// Value is the value of a setting: a field, the kind of its values, its default and its bounds. Its
// exported methods are those of a value of package pflag.
type Value interface {
	Set(text string) error // the error says what the text must be
	String() string
	Type() string
	Default() string // as text, or ""
	Repeatable() bool

	field() any // the pointer to it
	isZero() bool
	setDefault()
	problems(given bool) []string // given: by a flag or variable, so that zero is not the default
}

// bounds returns what is wrong with a value, or "". given is true if a flag or variable set it, so
// that its zero is not the default.
type bounds[T any] func(v T, given bool) string

// kind is how values are written.
type kind[T any] struct {
	name   string // of the type, for pflag
	parse  func(text string) (T, error)
	format func(T) string
}

// value is a Value of type T.
type value[T any] struct {
	kind[T]
	at        *T
	byDefault T
	bounds    bounds[T] // nil means any value
}

func (v *value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.at = parsed
	}
	return err
}

func (v *value[T]) String() string   { return v.format(*v.at) }
func (v *value[T]) Type() string     { return v.name }
func (v *value[T]) Default() string  { return v.format(v.byDefault) }
func (v *value[T]) Repeatable() bool { return false }
func (v *value[T]) field() any       { return v.at }
func (v *value[T]) setDefault()      { *v.at = v.byDefault }

func (v *value[T]) isZero() bool {
	if at, ok := any(*v.at).(time.Time); ok {
		return at.IsZero()
	}
	return reflect.ValueOf(v.at).Elem().IsZero()
}

func (v *value[T]) problems(given bool) []string {
	if v.bounds != nil {
		if wrong := v.bounds(*v.at, given); wrong != "" {
			return []string{wrong}
		}
	}
	return nil
}

// list is a Value of several texts, each of which is set by itself.
type list struct {
	value[[]string]
	each   func(text string) string // returns what is wrong with a text, or ""
	secret bool                     // problems number the texts
}

func texts(at *[]string, each func(text string) string) *list {
	return &list{value: value[[]string]{at: at, kind: kind[[]string]{
		name: "list", format: func(all []string) string { return strings.Join(all, ",") },
	}}, each: each}
}

func secrets(at *[]string, each func(text string) string) *list {
	l := texts(at, each)
	l.secret = true
	return l
}

func (l *list) Repeatable() bool { return true }

func (l *list) Set(text string) error {
	*l.at = append(*l.at, text)
	return nil
}

func (l *list) problems(bool) (all []string) {
	for i, text := range *l.at {
		wrong := l.each(text)
		if wrong != "" && l.secret && len(*l.at) > 1 {
			wrong = fmt.Sprintf("(%d of %d) %s", i+1, len(*l.at), wrong)
		}
		if wrong != "" {
			all = append(all, wrong)
		}
	}
	return all
}

func onOff(at *bool) Value {
	return &value[bool]{kind[bool]{"bool", parsed(strconv.ParseBool, "must be true or false"), strconv.FormatBool}, at, false, nil}
}

func text(at *string, byDefault string, b bounds[string]) Value {
	itself := func(text string) string { return text }
	return &value[string]{kind[string]{"string", func(text string) (string, error) { return text, nil }, itself}, at, byDefault, b}
}

func whole(at *int, byDefault int, b bounds[int]) Value {
	return &value[int]{wholeKind(), at, byDefault, b}
}

// optional is whole for a field whose zero is not its default.
func optional(at **int, byDefault int, b bounds[*int]) Value {
	return &value[*int]{pointer(wholeKind()), at, &byDefault, b}
}

func wholeKind() kind[int] {
	parse := func(text string) (int, error) {
		n, err := strconv.ParseInt(text, 0, strconv.IntSize)
		return int(n), err
	}
	return kind[int]{"number", parsed(parse, "must be a whole number of at most 18 digits"), strconv.Itoa}
}

func seed(at **uint64, byDefault uint64) Value {
	parse := func(text string) (uint64, error) { return strconv.ParseUint(text, 0, 64) }
	format := func(n uint64) string { return strconv.FormatUint(n, 10) }
	k := kind[uint64]{"number", parsed(parse, "must be a whole number from 0 to 18446744073709551615"), format}
	return &value[*uint64]{pointer(k), at, &byDefault, nil}
}

func duration(at *time.Duration, byDefault time.Duration, b bounds[time.Duration]) Value {
	k := kind[time.Duration]{"time", parsed(time.ParseDuration, "must be a time such as 90s, 10m or 1h30m"), time.Duration.String}
	return &value[time.Duration]{unlessZero(k), at, byDefault, b}
}

// date is a date, which means its first instant in UTC, or an RFC 3339 date-time.
func date(at *time.Time, byDefault time.Time, b bounds[time.Time]) Value {
	parse := func(text string) (time.Time, error) {
		day, wrong := sandbox.ParseDay(text)
		if wrong != "" {
			return day, errors.New(wrong)
		}
		return day, nil
	}
	return &value[time.Time]{kind[time.Time]{"date", parse, sandbox.FormatDay}, at, byDefault, b}
}

func latency(at *Latency) Value {
	parse := func(text string) (l Latency, err error) { return l, l.Set(text) }
	format := func(l Latency) string { return l.String() }
	return &value[Latency]{kind[Latency]{"latency", parse, format}, at, Latency{}, checkLatency}
}

// decimal is a number whose bounds the parser checks too. must says what the text must be.
func decimal(at *float64, must string, b bounds[float64]) Value {
	parse := func(text string) (float64, error) {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || b(n, true) != "" {
			return 0, errors.New(must)
		}
		return n, nil
	}
	format := func(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
	return &value[float64]{kind[float64]{"number", parse, format}, at, 0, b}
}

// size is a number of bytes, with or without a unit.
func size(at *int64, byDefault int64, b bounds[int64]) Value {
	parse := func(text string) (int64, error) {
		read := units.RAMInBytes // M and MiB, as in Docker
		if lower := strings.ToLower(text); strings.HasSuffix(lower, "b") && !strings.HasSuffix(lower, "ib") {
			read = units.FromHumanSize // MB, a million bytes
		}
		n, err := read(text)
		if err != nil || n < 0 {
			return 0, errors.New("must be a number of bytes such as 268435456, 256MiB, 256MB or 2GiB")
		}
		return n, nil
	}
	format := func(n int64) string { return units.BytesSize(float64(n)) }
	return &value[int64]{unlessZero(kind[int64]{"bytes", parse, format}), at, byDefault, b}
}

func level(at *slog.Level) Value {
	parse := func(text string) (l slog.Level, err error) { return l, l.UnmarshalText([]byte(text)) }
	format := func(l slog.Level) string { return strings.ToLower(l.String()) }
	return &value[slog.Level]{kind[slog.Level]{"level", parsed(parse, "must be debug, info, warn or error"), format}, at, slog.LevelInfo, nil}
}

// parsed replaces the error of a parser.
func parsed[T any](parse func(string) (T, error), must string) func(string) (T, error) {
	return func(text string) (T, error) {
		v, err := parse(text)
		if err != nil {
			err = errors.New(must)
		}
		return v, err
	}
}

// unlessZero formats the zero of a kind as "", so that --help does not show it as a default.
func unlessZero[T comparable](k kind[T]) kind[T] {
	return kind[T]{k.name, k.parse, func(v T) string {
		if v == *new(T) {
			return ""
		}
		return k.format(v)
	}}
}

// pointer is the kind of a field that is nil unless it is set.
func pointer[T any](k kind[T]) kind[*T] {
	parse := func(text string) (*T, error) {
		v, err := k.parse(text)
		return &v, err
	}
	format := func(v *T) string {
		if v == nil {
			return ""
		}
		return k.format(*v)
	}
	return kind[*T]{k.name, parse, format}
}
