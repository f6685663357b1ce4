package handlers

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// resource implements the operations of one noun. T is the type of the noun's records, and Q is the
// type of queries for them.
type resource[T store.Appender, Q any] struct {
	*store.Noun[T]
	path  string // the collection's path
	param string // the name of the path parameter for a record's id

	// check adds to o the problems that depend on other data. For a reference to a missing record,
	// it returns an error instead, because that response has a different status. sent holds the
	// body's fields. old is the record to change, or nil. newResource replaces a nil check with one
	// that finds no problem.
	check func(o *rest.Object[T], s *store.State, old, sent *T) error

	blank func(*rest.Exchange) T // returns a new record with the fields that the server sets; may be nil

	filters []string                              // the names of the query parameters; newResource adds those of paging
	read    func(q *rest.Query, p store.Paging) Q // reads the query parameters other than those in p
	page    func(*store.State, Q) store.Page[T]

	body  field.Fields[T] // the fields of a record in a body
	sorts []string        // the names of the fields by which lists can be sorted
}

func newResource[T store.Appender, Q any](r resource[T, Q]) *resource[T, Q] {
	if r.check == nil {
		r.check = func(*rest.Object[T], *store.State, *T, *T) error { return nil }
	}
	r.body = r.InBody()
	r.sorts = r.InFile().Names()
	r.filters = append([]string{"limit", "offset", "sort"}, r.filters...)
	return &r
}

func (r *resource[T, Q]) list(x *rest.Exchange) error {
	q := x.ReadQuery()
	paging := q.Paging(r.sorts...)
	query := r.read(q, paging)
	if err := q.Err(); err != nil {
		return err
	}
	return rest.List(x, r.page(x.View(), query), paging)
}

func (r *resource[T, Q]) get(x *rest.Exchange) error {
	id, err := x.PathID(r.param)
	if err != nil {
		return err
	}
	conditions, err := x.ReadPreconditions() // before the record is looked up: a 400 takes precedence over a 404
	if err != nil {
		return err
	}
	record, err := r.Find(x.View(), id)
	if err != nil {
		return err
	}
	return x.Found(conditions, record)
}

// create handles POST: it creates a record from the body.
func (r *resource[T, Q]) create(x *rest.Exchange) error {
	object, err := rest.ReadObject(x, r.body)
	if err != nil {
		return err
	}
	var record T
	if r.blank != nil {
		record = r.blank(x)
	}
	object.Read(&record)
	if object.Err() != nil {
		return r.refusal(x, object, nil, &record)
	}
	answer, err := x.Once(func() (sandbox.Answer, error) { return r.store(x, object, record) })
	if err != nil {
		return err
	}
	return x.Created(answer.Location, answer.Body)
}

// store inserts the record and returns the response.
func (r *resource[T, Q]) store(x *rest.Exchange, object *rest.Object[T], record T) (sandbox.Answer, error) {
	event := journal.Event{Name: r.Name + ".created"}
	err := x.Update(&event, func(tx *store.Tx) (err error) {
		if err := r.check(object, tx.View(), nil, &record); err != nil {
			return err
		}
		if record, err = r.Create(tx, record); err != nil {
			return err
		}
		event.Data = rest.EncodeRecord(record)
		return nil
	})
	return sandbox.Answer{Location: r.path + "/" + strconv.FormatInt(*r.ID(&record), 10), Body: event.Data}, err
}

// change handles PUT and PATCH, which differ in how they treat missing fields: PUT sets missing
// optional fields to their defaults and requires all other fields, and PATCH keeps the values of
// missing fields.
func (r *resource[T, Q]) change(x *rest.Exchange) error {
	object, err := rest.ReadObject(x, r.body) // before the id is read: 415 and 413 take precedence over 400
	if err != nil {
		return err
	}
	id, err := x.PathID(r.param)
	if err != nil {
		return err
	}
	var sent T
	object.SameID(r.Key, id)
	object.Read(&sent)
	if object.Err() != nil {
		var old *T
		if record, err := r.Find(x.View(), id); err == nil {
			old = &record
		}
		return r.refusal(x, object, old, &sent)
	}
	conditions, err := x.ReadPreconditions()
	if err != nil {
		return err
	}
	event := journal.Event{Name: r.Name + ".updated"}
	err = x.Update(&event, func(tx *store.Tx) error {
		record, err := r.Find(tx.View(), id)
		if err != nil {
			return err
		}
		unknown := r.check(object, tx.View(), &record, &sent)
		if err := object.Err(); err != nil { // 400 takes precedence over 412, and 412 over 422
			return err
		}
		if err := cmp.Or(conditions.Check(record), unknown); err != nil {
			return err
		}
		object.Read(&record) // read the body again, into the current record; the first read found no problem
		*r.ID(&record) = id
		changed, err := r.Update(tx, record)
		if err != nil {
			return err
		}
		event.Data = rest.EncodeRecord(changed)
		return nil
	})
	if err != nil {
		return err
	}
	return x.Encoded(http.StatusOK, event.Data)
}

// refusal returns the error for an invalid body. It adds the problems that depend on other data, so
// that one response reports all problems.
func (r *resource[T, Q]) refusal(x *rest.Exchange, object *rest.Object[T], old, sent *T) error {
	if unknown := r.check(object, x.View(), old, sent); unknown != nil {
		object.AddDetails(unknown)
	}
	return object.Err()
}

func (r *resource[T, Q]) delete(x *rest.Exchange) error {
	id, err := x.PathID(r.param)
	if err != nil {
		return err
	}
	conditions, err := x.ReadPreconditions()
	if err != nil {
		return err
	}
	event := journal.Event{Name: r.Name + ".deleted", Data: fmt.Appendf(nil, `{"id":%d}`, id)}
	err = x.Update(&event, func(tx *store.Tx) error {
		record, err := r.Find(tx.View(), id)
		if err != nil {
			return err
		}
		if err := conditions.Check(record); err != nil {
			return err
		}
		return r.Delete(tx, id)
	})
	if err != nil {
		return err
	}
	return x.NoContent()
}
