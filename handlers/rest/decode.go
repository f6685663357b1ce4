package rest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// maxFaults bounds how many faults of one body are told.
const maxFaults = 32

// Decode reads the request's body into what into points to: a struct, or a slice
// of them. It is for bodies in which a typing mistake must not pass, so an unknown
// field is a fault always; fields that the body lacks, or has as null, stay as they
// are or become zero. The checks are asked what else is wrong, once all that has
// the right type is read; what they find is told together with the rest.
//
// The error is a 415, a 413, a 400 invalid_json with line and column, or a 400
// validation_failed that names every field at fault by its JSON Pointer.
func (x *Exchange) Decode(into any, checks ...func() []Detail) error {
	body, err := x.Body()
	if err != nil {
		return err
	}
	return decode(body, into, checks)
}

// DecodeOptional is Decode for a body that may be left out, and reports whether
// there was one.
func (x *Exchange) DecodeOptional(into any, checks ...func() []Detail) (present bool, err error) {
	body, err := x.OptionalBody()
	switch {
	case err != nil:
		return true, err
	case body == nil:
		return false, nil
	}
	return true, decode(body, into, checks)
}

func decode(body []byte, into any, checks []func() []Detail) error {
	target := reflect.ValueOf(into).Elem()
	if err := checkJSON(body, target.Type()); err != nil {
		return err
	}
	blank := reflect.New(target.Type()).Elem()
	blank.Set(target)
	// The decoder stops at the first fault. So that all are told, what is at fault
	// is taken out of the body and the rest read again.
	faults := nullElements(body, target.Kind())
	for rest := body; len(faults) < maxFaults; {
		target.Set(blank)
		err := json.Unmarshal(rest, into, json.RejectUnknownMembers(true))
		if err == nil {
			break
		}
		var wrong *json.SemanticError
		if !errors.As(err, &wrong) {
			return syntaxError(body, err)
		}
		fault := Detail{Field: string(wrong.JSONPointer), Message: typeFault(wrong)}
		if told(faults, fault.Field) {
			break
		}
		faults = append(faults, fault)
		rest = prune(rest, slices.Collect(wrong.JSONPointer.Tokens()))
	}
	slices.SortStableFunc(faults, func(a, b Detail) int {
		return slices.Compare(placeIn(target.Type(), a.Field), placeIn(target.Type(), b.Field))
	})
	for _, check := range checks {
		for _, fault := range check() {
			if !told(faults, fault.Field) {
				faults = append(faults, fault)
			}
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return invalidBody(faults)
}

// placeIn returns where the field of a JSON Pointer stands among those of the type,
// the unknown ones last: the order in which faults are told, as in other bodies.
func placeIn(t reflect.Type, pointer string) []int {
	var place []int
	for token := range jsontext.Pointer(pointer).Tokens() {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Slice:
			index, _ := strconv.Atoi(token)
			place, t = append(place, index), t.Elem()
		case reflect.Struct:
			i := slices.IndexFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				return name == token
			})
			if i < 0 {
				return append(place, t.NumField())
			}
			place, t = append(place, i), t.Field(i).Type
		default:
			return place
		}
	}
	return place
}

// nullElements returns the elements of an array that are null, which none can be.
func nullElements(body []byte, kind reflect.Kind) []Detail {
	if kind != reflect.Slice {
		return nil
	}
	var elements []jsontext.Value
	if err := json.Unmarshal(body, &elements); err != nil {
		panic(err) // it is an array
	}
	var faults []Detail
	for i, element := range elements {
		if element.Kind() == 'n' && len(faults) < maxFaults {
			faults = append(faults, Detail{Field: "/" + strconv.Itoa(i), Message: "must be an object, not null"})
		}
	}
	return faults
}

// told reports whether a fault of the field, or of one that it is in, is known.
func told(faults []Detail, field string) bool {
	return slices.ContainsFunc(faults, func(f Detail) bool {
		return f.Field == field || strings.HasPrefix(field, f.Field+"/")
	})
}

// checkJSON returns the 400 unless the body is one JSON value of the kind that the
// type is written as.
func checkJSON(body []byte, as reflect.Type) error {
	want, what := jsontext.Kind('{'), "object"
	if as.Kind() == reflect.Slice {
		want, what = '[', "array"
	}
	start := int64(len(body) - len(bytes.TrimLeft(body, " \t\r\n")))
	if start == int64(len(body)) {
		return invalidJSON(body, start, "the body is empty; send a JSON "+what)
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body))
	if err := decoder.SkipValue(); err != nil {
		return syntaxError(body, err)
	}
	end := decoder.InputOffset()
	if after := bytes.TrimLeft(body[end:], " \t\r\n"); len(after) > 0 {
		return invalidJSON(body, int64(len(body)-len(after)), fmt.Sprintf("there is more after the %s; send one %[1]s alone", what))
	}
	if kind := jsontext.Value(body[start:]).Kind(); kind != want {
		return invalidJSON(body, start, "the body is "+field.KindName(kind)+"; send an "+what)
	}
	return nil
}

// prune returns the value without the member at the path; an element of an array
// becomes null, so that those behind it keep their places.
func prune(value jsontext.Value, path []string) jsontext.Value {
	if len(path) == 0 {
		return jsontext.Value("null")
	}
	var pruned bytes.Buffer
	decoder, encoder := jsontext.NewDecoder(bytes.NewReader(value)), jsontext.NewEncoder(&pruned)
	object := decoder.PeekKind() == '{'
	copyToken := func() {
		token, err := decoder.ReadToken()
		if err == nil {
			err = encoder.WriteToken(token)
		}
		if err != nil {
			panic(err) // the value was read before
		}
	}
	copyToken()
	for i := 0; decoder.PeekKind() != ']' && decoder.PeekKind() != '}'; i++ {
		name := strconv.Itoa(i)
		if object {
			token, _ := decoder.ReadToken()
			name = token.String()
		}
		element, _ := decoder.ReadValue()
		if name == path[0] {
			if object && len(path) == 1 {
				continue
			}
			element = prune(element, path[1:])
		}
		if object {
			_ = encoder.WriteToken(jsontext.String(name)) // a buffer takes all
		}
		_ = encoder.WriteValue(element)
	}
	copyToken()
	return jsontext.Value(pruned.Bytes())
}

// typeFault says what a field must be rather than what it is.
func typeFault(wrong *json.SemanticError) string {
	if wrong.Err == json.ErrUnknownName {
		return field.Unknown("field", wrong.JSONPointer.LastToken(), fieldNames(wrong.GoType))
	}
	was := ", not " + field.KindName(wrong.JSONKind)
	if wrong.GoType == nil {
		return "has the wrong type"
	}
	if wrong.GoType == reflect.TypeFor[time.Time]() {
		if wrong.JSONKind == '"' {
			was = ""
		}
		return "must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339)" + was
	}
	switch wrong.GoType.Kind() {
	case reflect.Bool:
		return "must be true or false" + was
	case reflect.String:
		return "must be a string" + was
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return integerFault(wrong)
	case reflect.Float64:
		return "must be a number" + was
	case reflect.Slice:
		return "must be an array" + was
	case reflect.Struct, reflect.Map:
		return "must be an object" + was
	}
	return "has the wrong type"
}

// fieldNames returns the names that the fields of a struct have in JSON.
func fieldNames(of reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.IsExported() && !field.Anonymous && name != "-" {
			names = append(names, cmp.Or(name, field.Name))
		}
	}
	return names
}

func integerFault(wrong *json.SemanticError) string {
	switch number := string(wrong.JSONValue); {
	case wrong.JSONKind != '0':
		return "must be an integer, not " + field.KindName(wrong.JSONKind)
	case strings.ContainsAny(number, ".eE"):
		return "must be an integer, written without fraction or exponent, not " + field.Abbreviate(number)
	case wrong.GoType.Kind() == reflect.Uint64:
		return fmt.Sprintf("must be from 0 to %d, not %s", uint64(1<<64-1), field.Abbreviate(number))
	default:
		return fmt.Sprintf("must be from %d to %d, not %s", -1<<63, 1<<63-1, field.Abbreviate(number))
	}
}
