package store

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// model is the simplest implementation of the store: it uses maps, and lists by a full
// scan.
type model struct {
	tables map[string]any // by the noun's plural
	last   Counters
	room   int
}

func (m *model) clone() *model {
	next := &model{map[string]any{}, m.last, m.room}
	for _, k := range kinds {
		next.tables[k.plural()] = k.clone(m.tables[k.plural()])
	}
	return next
}

// records counts the records.
func (m *model) records() (n int) {
	for _, k := range kinds {
		n += k.size(m.tables[k.plural()])
	}
	return n
}

func (m *model) contents() contents {
	c := contents{map[string]any{}, m.last}
	for _, k := range kinds {
		c.Records[k.plural()] = k.unload(m.tables[k.plural()])
	}
	return c
}

// model returns a model with the contents.
func (c contents) model(room int) *model {
	m := &model{map[string]any{}, c.Counters, room}
	for _, k := range kinds {
		m.tables[k.plural()] = k.load(c.Records[k.plural()])
	}
	return m
}

func tableOf[T Appender](m *model, n *Noun[T]) map[int64]T { return m.tables[n.Plural].(map[int64]T) }

func has[T Appender](m *model, n *Noun[T], id int64) bool {
	_, ok := tableOf(m, n)[id]
	return ok
}

func refuse[T any](code Code) (T, error) { return *new(T), &Error{Code: code} }

func unless(ok bool, code Code) Code {
	if ok {
		return ""
	}
	return code
}

// stock gives the inventory entry of a pet the pet's status, or deletes it if there is no such pet. A
// pet that is replaced keeps its quantity.
func stock(m *model, id int64) {
	inventory := tableOf(m, Inventory)
	if pet, ok := tableOf(m, Pets)[id]; ok {
		inventory[id] = InventoryItem{PetID: id, Quantity: inventory[id].Quantity, Status: pet.Status}
	} else {
		delete(inventory, id)
	}
}

func oneOf[T comparable](wanted []T, v T) bool { return len(wanted) == 0 || slices.Contains(wanted, v) }

func hasPart(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}

// page is the reference implementation of every list. It takes the matching records,
// sorts them by the field's JSON value and cuts the page out.
func page[T Appender](m *model, n *Noun[T], p Paging, match func(T) bool) Page[T] {
	type row struct {
		record T
		key    any
	}
	table := tableOf(m, n)
	var rows []row
	for _, id := range slices.Sorted(maps.Keys(table)) {
		if match(table[id]) {
			rows = append(rows, row{table[id], jsonField(table[id], cmp.Or(p.Sort.Field, n.Key))})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		switch {
		case a.key == nil && b.key == nil:
			return 0
		case a.key == nil:
			return 1
		case b.key == nil:
			return -1
		case p.Sort.Desc:
			return compareJSON(b.key, a.key)
		}
		return compareJSON(a.key, b.key)
	})
	page := Page[T]{Items: []T{}, Total: len(rows)}
	for i, row := range rows {
		if i >= p.Offset && (p.Limit == 0 || i-p.Offset < p.Limit) {
			page.Items = append(page.Items, row.record)
		}
	}
	return page
}

func jsonField(record any, field string) any {
	var fields map[string]any
	must(0, json.Unmarshal(must(json.Marshal(record)), &fields))
	return fields[field]
}

func compareJSON(a, b any) int {
	switch a := a.(type) {
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return strings.Compare(a, b.(string))
	case bool:
		if a == b {
			return 0
		} else if a {
			return 1
		}
		return -1
	}
	panic("a field that cannot be sorted by")
}
