package store

import "fmt"

// Code classifies an [Error]. Each is also the code that the API answers with.
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
	// Full means that the store holds as many records over its baseline as it may,
	// or that no id is left for another one.
	Full Code = "sandbox_full"
)

// Error says why the store refused an operation. Two errors with the same code
// are the same to [errors.Is].
type Error struct {
	Code    Code
	Message string // for a person: what was wrong and what to do
	Field   string // the record's field at fault by its JSON name, or empty
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Is reports whether target is an *Error with the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

func notFound(kind string, id int64) error {
	return &Error{Code: NotFound, Message: fmt.Sprintf("no %s has the id %d", kind, id)}
}

func unknownCategory(id int64) error {
	return &Error{
		Code:    UnknownCategory,
		Message: fmt.Sprintf("no category has the id %d; GET /categories lists those there are", id),
		Field:   "categoryId",
	}
}

func unknownPet(id int64) error {
	return &Error{
		Code:    UnknownPet,
		Message: fmt.Sprintf("no pet has the id %d; GET /pets lists those there are", id),
		Field:   "petId",
	}
}
