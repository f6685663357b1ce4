package store

import (
	"fmt"

	"example.com/petstore/store/field"
)

// Code classifies an [Error].
type Code string

const (
	// NotFound: no record has the id.
	NotFound Code = "not_found"
	// UnknownCategory: no category has the pet's categoryId.
	UnknownCategory Code = "unknown_category"
	// UnknownPet: no pet has the order's petId.
	UnknownPet Code = "unknown_pet"
	// CategoryInUse: a pet still uses the category to be deleted.
	CategoryInUse Code = "category_in_use"
	// Full: the store already holds [Limits.Records] more than its baseline.
	Full Code = "full"
	// FullBytes: the store would hold more than [Limits.Bytes] beyond its origin.
	FullBytes Code = "full_bytes"
	// TooLarge: a state has more records than the store may hold.
	TooLarge Code = "too_large"
	// NoID: no id is left for a new record.
	NoID Code = "no_id"
)

// Error is a refused operation. [errors.Is] treats two errors with the same code as equal.
type Error struct {
	Code Code
	// Problem has the message, and the field if one field is at fault.
	field.Problem
	ID int64 // of the record in question, or 0
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Is reports whether target is an *Error with the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

func refusal(code Code, id int64, format string, args ...any) error {
	return &Error{Code: code, Problem: field.Problem{Message: fmt.Sprintf(format, args...)}, ID: id}
}

func notFound(kind string, id int64) error {
	return refusal(NotFound, id, "there is no %s with id %d", kind, id)
}

// unknownReference reports a reference to a record that does not exist.
func unknownReference(code Code, pointer, kind string, id int64) error {
	return &Error{Code: code, Problem: field.Problem{Field: pointer, Message: fmt.Sprintf("there is no %s with id %d", kind, id)}, ID: id}
}

func unknownCategory(id int64) error {
	return unknownReference(UnknownCategory, "/categoryId", "category", id)
}

func unknownPet(id int64) error { return unknownReference(UnknownPet, "/petId", "pet", id) }
