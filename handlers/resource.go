package handlers

import (
	"fmt"
	"net/http"
	"strconv"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// resource is what the records of one noun have in common on the wire. T is the
// record; what a noun does not have is nil.
type resource[T any] struct {
	kind  string // of the record, by which its events are named
	path  string // of the collection
	param string // the path parameter that names one record

	// read reads the fields of a body into the record, and collects what is
	// wrong with them.
	read func(*rest.Object, *T)
	// check returns what is wrong with a body for reasons that the store alone
	// does not see; nil: nothing ever.
	check func(*rest.Object, *T) error

	id     func(*T) *int64
	find   func(*store.State, int64) (T, error)
	insert func(*store.Tx, T) (T, error)
	update func(*store.Tx, T) (T, error)
	remove func(*store.Tx, int64) error
}

func (r *resource[T]) get(x *rest.Exchange) error {
	id, err := x.PathID(r.param)
	if err != nil {
		return err
	}
	if err := x.CheckNoneMatch(); err != nil { // before the record: 400 comes before 404
		return err
	}
	record, err := r.find(x.Sandbox.Store.View(), id)
	if err != nil {
		return err
	}
	return x.Resource(http.StatusOK, record)
}

func (r *resource[T]) create(x *rest.Exchange) error { return r.createFrom(x, *new(T)) }

// createFrom answers POST: it makes a record of the body's fields and, for those
// that are the server's to say, of blank's.
func (r *resource[T]) createFrom(x *rest.Exchange, blank T) error {
	object, err := x.ReadObject()
	if err != nil {
		return err
	}
	record := blank
	object.SameID(0)
	r.read(object, &record)
	if err := object.Err(); err != nil {
		return err
	}
	key, err := x.IdempotencyKey()
	if err != nil {
		return err
	}
	insert := func() (sandbox.Answer, error) { return r.store(x, object, record) }
	var answer sandbox.Answer
	if key == "" {
		answer, err = insert()
	} else {
		answer, err = x.Once(key, insert)
	}
	if err != nil {
		return err
	}
	return x.Created(answer.Location, answer.Body)
}

// store inserts the record and returns the answer that tells it.
func (r *resource[T]) store(x *rest.Exchange, object *rest.Object, record T) (sandbox.Answer, error) {
	var answer sandbox.Answer
	err := x.Sandbox.Update(func(tx *store.Tx) error {
		if r.check != nil {
			if err := r.check(object, &record); err != nil {
				return err
			}
		}
		created, err := r.insert(tx, record)
		if err != nil {
			return err
		}
		answer.Location = r.path + "/" + strconv.FormatInt(*r.id(&created), 10)
		answer.Body, err = rest.Encode(created)
		return err
	}, r.event("created", &answer.Body))
	return answer, err
}

// change answers PUT and PATCH, which differ in what a missing field means: its
// default, or as it is.
func (r *resource[T]) change(x *rest.Exchange) error {
	object, err := x.ReadObject() // before the id: 415 and 413 come before 400
	if err != nil {
		return err
	}
	id, err := x.PathID(r.param)
	if err != nil {
		return err
	}
	var blank T
	object.SameID(id)
	r.read(object, &blank)
	if err := object.Err(); err != nil {
		return err
	}
	match, err := x.ReadMatch()
	if err != nil {
		return err
	}
	var body []byte
	err = x.Sandbox.Update(func(tx *store.Tx) error {
		record, err := r.find(tx.View(), id)
		if err != nil {
			return err
		}
		if err := match.Check(record); err != nil {
			return err
		}
		r.read(object, &record) // again, and onto what is there now: it found no fault the first time
		*r.id(&record) = id
		if r.check != nil {
			if err := r.check(object, &record); err != nil {
				return err
			}
		}
		changed, err := r.update(tx, record)
		if err != nil {
			return err
		}
		body, err = rest.Encode(changed)
		return err
	}, r.event("updated", &body))
	if err != nil {
		return err
	}
	return x.Encoded(http.StatusOK, body)
}

func (r *resource[T]) delete(x *rest.Exchange) error {
	id, err := x.PathID(r.param)
	if err != nil {
		return err
	}
	match, err := x.ReadMatch()
	if err != nil {
		return err
	}
	err = x.Sandbox.Update(func(tx *store.Tx) error {
		record, err := r.find(tx.View(), id)
		if err != nil {
			return err
		}
		if err := match.Check(record); err != nil {
			return err
		}
		return r.remove(tx, id)
	}, r.event("deleted", new(fmt.Appendf(nil, `{"id":%d}`, id))))
	if err != nil {
		return err
	}
	return x.NoContent()
}

// event returns the event of a change, whose data is there once the change is made.
func (r *resource[T]) event(what string, data *[]byte) func() sandbox.Event {
	return func() sandbox.Event { return sandbox.Event{Name: r.kind + "." + what, Data: *data} }
}
