package store

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"
)

// kinds lists the nouns as tests know them, in the order of nouns.
var kinds = []kind{
	&kindOf[Category, Category]{
		Noun: Categories, rows: categoryRows, find: (*State).FindCategory, id: (*driver).categoryID,
		draw: func(d *driver, id int64) Category {
			return Category{ID: id, Name: d.name(),
				Description: maybe(d, func() string { return pick(d, "", "bark", "Bark") })}
		},
		inUse: func(m *model, id int64) bool {
			return slices.ContainsFunc(slices.Collect(maps.Values(tableOf(m, Pets))),
				func(p Pet) bool { return p.CategoryID == id })
		},
		query: func(d *driver, s *State, m *model) (any, Page[Category], Page[Category]) {
			q := CategoryQuery{Name: pick(d, "", "RE", "é", "xx"), Paging: paging(d, Categories)}
			return q, s.ListCategories(q), page(m, Categories, q.Paging,
				func(c Category) bool { return hasPart(c.Name, q.Name) })
		},
	},
	&kindOf[petRow, Pet]{
		Noun: Pets, rows: petRows, find: (*State).FindPet, id: (*driver).id,
		draw: func(d *driver, id int64) Pet {
			return Pet{ID: id, Name: d.name(), CategoryID: d.categoryID(), Status: d.status()}
		},
		check: func(m *model, _ *Pet, p Pet) Code {
			return unless(has(m, Categories, p.CategoryID), UnknownCategory)
		},
		written: stock,
		query: func(d *driver, s *State, m *model) (any, Page[Pet], Page[Pet]) {
			q := PetQuery{
				IDs: some(d, d.id), Statuses: some(d, d.status), CategoryIDs: some(d, d.categoryID),
				Name: pick(d, "", "", "tom", "É"), Paging: paging(d, Pets),
			}
			return q, s.ListPets(q), page(m, Pets, q.Paging, func(p Pet) bool {
				return oneOf(q.IDs, p.ID) && oneOf(q.Statuses, p.Status) && oneOf(q.CategoryIDs, p.CategoryID) &&
					hasPart(p.Name, q.Name)
			})
		},
	},
	&kindOf[petRow, InventoryItem]{
		Noun: Inventory, rows: petRows, find: (*State).FindInventoryItem, id: (*driver).id,
		draw: func(d *driver, id int64) InventoryItem {
			return InventoryItem{PetID: id, Quantity: int64(d.next(5)), Status: d.status()}
		},
		written: stock,
		query: func(d *driver, s *State, m *model) (any, Page[InventoryItem], Page[InventoryItem]) {
			q := InventoryQuery{Statuses: some(d, d.status), Paging: paging(d, Inventory),
				MaxQuantity: maybe(d, func() int64 { return int64(d.next(5)) })}
			return q, s.ListInventory(q), page(m, Inventory, q.Paging, func(i InventoryItem) bool {
				return oneOf(q.Statuses, i.Status) && (q.MaxQuantity == nil || i.Quantity <= *q.MaxQuantity)
			})
		},
	},
	&kindOf[Order, Order]{
		Noun: Orders, rows: orderRows, find: (*State).FindOrder, id: (*driver).id,
		draw: func(d *driver, id int64) Order {
			return Order{
				ID: id, PetID: int64(d.next(12)), Quantity: int64(d.next(4)), Complete: d.bool(),
				ShipDate: pick(d, "", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z", "2025-12-31T23:00:00-02:00"),
			}
		},
		check: func(m *model, old *Order, o Order) Code {
			return unless(o.PetID == 0 || old != nil && o.PetID == old.PetID || has(m, Pets, o.PetID), UnknownPet)
		},
		query: func(d *driver, s *State, m *model) (any, Page[Order], Page[Order]) {
			q := OrderQuery{PetID: maybe(d, d.id), Complete: maybe(d, d.bool), Paging: paging(d, Orders)}
			return q, s.ListOrders(q), page(m, Orders, q.Paging, func(o Order) bool {
				return (q.PetID == nil || o.PetID == *q.PetID) && (q.Complete == nil || o.Complete == *q.Complete)
			})
		},
	},
	&kindOf[Message, Message]{
		Noun: Messages, rows: messageRows, find: (*State).FindMessage, id: (*driver).id,
		draw: func(d *driver, id int64) Message {
			// Nanoseconds in an int64 reach neither the first time nor the last one.
			at := pick(d, time.Time{}, time.Unix(1, 0), time.Unix(2, 0), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))
			return Message{ID: id, Message: d.name(), CreatedAt: at.UTC()}
		},
		query: func(d *driver, s *State, m *model) (any, Page[Message], Page[Message]) {
			q := MessageQuery{paging(d, Messages)}
			return q, s.ListMessages(q), page(m, Messages, q.Paging, func(Message) bool { return true })
		},
	},
}

// kind is one of the kinds. A table is a map[int64]T and records are a []T, with the noun's T.
type kind interface {
	plural() string
	contents(s *State) (records any)
	changes(before, after any) any // returns the Changes[T] between two records
	load(records any) (table any)
	unload(table any) (records any)
	clone(table any) any
	size(table any) int
	setCounter(d *driver, c *Counters, m *model)

	write(d *driver, tx *Tx, m *model)
	read(d *driver)

	cells(all map[cell]record, s *State)
	bytes(r record) int64
	invariants(c *checker, s *State)
}

// kindOf implements kind for a noun whose records T are in rows of R.
type kindOf[R any, T Appender] struct {
	*Noun[T]
	rows *table[R]
	find func(*State, int64) (T, error)
	id   func(*driver) int64 // draws an id that may exist
	draw func(d *driver, id int64) T

	check   func(m *model, old *T, record T) Code // as in Noun; nil accepts all
	inUse   func(m *model, id int64) bool         // nil means never
	written func(m *model, id int64)              // updates other tables after a write; may be nil
	// query draws a query, and returns it with its page by the state and its page by the model.
	query func(*driver, *State, *model) (query any, got, want Page[T])
}

func (k *kindOf[R, T]) plural() string { return k.Plural }

func (k *kindOf[R, T]) contents(s *State) any { return slices.AppendSeq([]T{}, k.All(s)) }

func (k *kindOf[R, T]) changes(before, after any) any { return changesOf(before.([]T), after.([]T)) }

func (k *kindOf[R, T]) load(records any) any {
	table := map[int64]T{}
	for _, record := range records.([]T) {
		table[*k.ID(&record)] = record
	}
	return table
}

func (k *kindOf[R, T]) unload(table any) any {
	records := []T{}
	for _, id := range slices.Sorted(maps.Keys(table.(map[int64]T))) {
		records = append(records, table.(map[int64]T)[id])
	}
	return records
}

func (k *kindOf[R, T]) clone(table any) any { return maps.Clone(table.(map[int64]T)) }

// size counts the records of a table, except those that are parts of others.
func (k *kindOf[R, T]) size(table any) int {
	if k.Counter == nil {
		return 0
	}
	return len(table.(map[int64]T))
}

// setCounter draws a counter for [Tx.SetCounters], and sets that of the model.
func (k *kindOf[R, T]) setCounter(d *driver, c *Counters, m *model) {
	if k.Counter != nil {
		*k.Counter(c) = k.id(d)
		*k.Counter(&m.last) = slices.Max(append(slices.Collect(maps.Keys(tableOf(m, k.Noun))), *k.Counter(c)))
	}
}

// write applies an operation to the transaction and to the model.
func (k *kindOf[R, T]) write(d *driver, tx *Tx, m *model) {
	within := func(operation func(*Tx, T) (T, error)) func(T) (T, error) {
		return func(record T) (T, error) { return operation(tx, record) }
	}
	operation := d.next(10)
	switch {
	case operation < 3 || k.Counter == nil:
		agree(d, "update of "+k.Name, k.draw(d, k.id(d)), within(k.Update),
			func(record T) (T, error) { return k.updateModel(m, record) })
	case operation == 3:
		agree(d, "delete of "+k.Name, k.id(d), func(id int64) (any, error) { return nil, k.Delete(tx, id) },
			func(id int64) (any, error) { return nil, k.deleteModel(m, id) })
	case operation == 4:
		agree(d, "restore of "+k.Name, k.draw(d, d.newID()), within(k.Restore),
			func(record T) (T, error) { return k.addModel(m, &record, record) })
	default:
		agree(d, "create of "+k.Name, k.draw(d, d.newID()), within(k.Create),
			func(record T) (T, error) { return k.addModel(m, nil, record) })
	}
}

func (k *kindOf[R, T]) addModel(m *model, old *T, record T) (T, error) {
	if k.check != nil {
		if code := k.check(m, old, record); code != "" {
			return refuse[T](code)
		}
	}
	if m.records() >= m.room {
		return refuse[T](Full)
	}
	id, last := k.ID(&record), k.Counter(&m.last)
	if *id == 0 {
		*id = *last + 1
	}
	*last = max(*last, *id)
	return k.putModel(m, record), nil
}

func (k *kindOf[R, T]) updateModel(m *model, record T) (T, error) {
	old, ok := tableOf(m, k.Noun)[*k.ID(&record)]
	if !ok {
		return refuse[T](NotFound)
	}
	if k.check != nil {
		if code := k.check(m, &old, record); code != "" {
			return refuse[T](code)
		}
	}
	return k.putModel(m, record), nil
}

func (k *kindOf[R, T]) putModel(m *model, record T) T {
	table, id := tableOf(m, k.Noun), *k.ID(&record)
	table[id] = record
	if k.written != nil {
		k.written(m, id)
	}
	return table[id]
}

func (k *kindOf[R, T]) deleteModel(m *model, id int64) error {
	switch {
	case !has(m, k.Noun, id):
		return &Error{Code: NotFound}
	case k.inUse != nil && k.inUse(m, id):
		return &Error{Code: CategoryInUse}
	}
	delete(tableOf(m, k.Noun), id)
	if k.written != nil {
		k.written(m, id)
	}
	return nil
}

// read compares a record of the published state, or a list. Then it overwrites the list, which must
// not change the state.
func (k *kindOf[R, T]) read(d *driver) {
	s := d.store.View()
	if d.next(4) == 0 {
		agree(d, "find of "+k.Name, k.id(d), func(id int64) (T, error) { return k.find(s, id) },
			func(id int64) (T, error) {
				if record, ok := tableOf(d.model, k.Noun)[id]; ok {
					return record, nil
				}
				return refuse[T](NotFound)
			})
		return
	}
	query, got, want := k.query(d, s, d.model)
	d.same(query, got, want)
	clear(got.Items)
}

func (k *kindOf[R, T]) cells(all map[cell]record, s *State) {
	k.rows.of(s).m.Scan(func(id int64, r *R) bool { all[cell{k.rows.kind, id}] = r; return true })
}

// bytes returns the size of a record, which is that of its kind plus its texts, or 0 for another kind.
func (k *kindOf[R, T]) bytes(r record) int64 {
	row, ok := r.(*R)
	if !ok {
		return 0
	}
	bytes := k.rows.bytes(new(R))
	for _, value := range reflect.ValueOf(row).Elem().Fields() {
		if text := reflect.Indirect(value); text.IsValid() && text.Type() == reflect.TypeFor[string]() {
			bytes += int64(text.Len())
		}
	}
	return bytes
}

func (k *kindOf[R, T]) invariants(c *checker, s *State) {
	if k.Counter != nil {
		checkTable(c, k.Plural, k.rows.of(s), *k.Counter(&s.last), func(r *R) int64 { return *k.rows.id(r) })
	}
}

// TestKindsAreComplete checks that the kinds are all nouns.
func TestKindsAreComplete(t *testing.T) {
	t.Parallel()
	for i, noun := range nouns {
		if i >= len(kinds) || reflect.ValueOf(kinds[i]).Elem().Field(0).Interface() != any(noun) {
			t.Errorf("kinds, in nouns_test.go, has no %s at %d", reflect.ValueOf(noun).Elem().FieldByName("Name"), i)
		}
	}
}
