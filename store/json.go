package store

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Records encode their own JSON, byte for byte as their struct tags describe it. Nearly every
// response is a record or a list of them, and an encoder that uses reflection takes several times
// as long. Invalid UTF-8, which no stored record has, becomes U+FFFD.

// AppendJSON appends the pet as JSON.
func (p Pet) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, p.ID)
	b = appendText(b, `,"name":`, p.Name)
	b = appendInt(b, `,"categoryId":`, p.CategoryID)
	b = appendText(b, `,"status":`, string(p.Status))
	return append(b, '}')
}

// AppendJSON appends the category as JSON.
func (c Category) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, c.ID)
	b = appendText(b, `,"name":`, c.Name)
	if c.Description != nil {
		b = appendText(b, `,"description":`, *c.Description)
	}
	return append(b, '}')
}

// AppendJSON appends the order as JSON.
func (o Order) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, o.ID)
	if o.PetID != 0 {
		b = appendInt(b, `,"petId":`, o.PetID)
	}
	b = appendInt(b, `,"quantity":`, o.Quantity)
	if o.ShipDate != "" {
		b = appendText(b, `,"shipDate":`, o.ShipDate)
	}
	b = append(b, `,"complete":`...)
	b = strconv.AppendBool(b, o.Complete)
	return append(b, '}')
}

// AppendJSON appends the item as JSON.
func (i InventoryItem) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"petId":`, i.PetID)
	b = appendInt(b, `,"quantity":`, i.Quantity)
	b = appendText(b, `,"status":`, string(i.Status))
	return append(b, '}')
}

// AppendJSON appends the message as JSON.
func (m Message) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, m.ID)
	b = appendText(b, `,"message":`, m.Message)
	b = append(b, `,"createdAt":"`...)
	b = m.CreatedAt.AppendFormat(b, time.RFC3339Nano)
	return append(b, `"}`...)
}

func appendInt(b []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(b, name...), n, 10)
}

func appendText(b []byte, name, text string) []byte {
	b, _ = jsontext.AppendQuote(append(b, name...), text) // the error reports only invalid UTF-8, which is U+FFFD now
	return b
}
