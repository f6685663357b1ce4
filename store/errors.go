package store

import (
	"fmt"

	"example.com/petstore/store/field"
)

// Code classifies an [Error].
type Code string

const (
	// NotFound means that no record has the id.
	NotFound Code = "not_found"
	// UnknownCategory means that a pet's categoryId names no category.
	UnknownCategory Code = "unknown_category"
	// UnknownPet means that an order's petId names no pet.
	UnknownPet Code = "unknown_pet"
	// CategoryInUse means that pets still use a category that is to be deleted.
	CategoryInUse Code = "category_in_use"
	// Full means that the store holds as many records over its baseline as it may.
	Full Code = "full"
	// FullBytes means that the store would hold more bytes over its origin than it may.
	FullBytes Code = "full_bytes"
	// TooLarge means that a state has more records than [Full] allows.
	TooLarge Code = "too_large"
	// NoID means that no id is left for another record.
	NoID Code = "no_id"
)

// Error says why the store refused an operation. Two errors with the same code
// are the same to [errors.Is].
type Error struct {
	Code Code
	// Problem says what is wrong, of the record's field where there is one.
	field.Problem
	ID int64 // of the record that the error is about; 0: none
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

// unknownReference refuses a reference that names nothing.
func unknownReference(code Code, pointer, kind string, id int64) error {
	return &Error{Code: code, Problem: field.Problem{Field: pointer, Message: fmt.Sprintf("there is no %s with id %d", kind, id)}, ID: id}
}

func unknownCategory(id int64) error {
	return unknownReference(UnknownCategory, "/categoryId", "category", id)
}

func unknownPet(id int64) error { return unknownReference(UnknownPet, "/petId", "pet", id) }
