package store_test

import (
	"strings"

	"github.com/anishathalye/porcupine"
)

// call is one operation of the history; outcome what came back over HTTP.
type call struct {
	verb   string
	id     int    // of a pet
	status string // of a pet: its first letter
	name   int    // of a snapshot
}

type outcome struct {
	unknown bool // whether the operation has run may be known, what it answered is not
	code    int  // the HTTP status
	id      int
	status  string
	count   int
	data    string
}

// shop is the sequential model of one sandbox. Its strings make it compare and copy by
// value, which keeps the model's step pure.
type shop struct {
	data    string    // the statuses of all pets ever made, by id; "-": it is gone
	kept    [2]string // the snapshots, each behind a "="; empty: there is none
	history string    // what undo returns to, each with a ";" behind it
}

// undoable is how many writes can be taken back.
const undoable = 100

// write returns the shop after a write that undo takes back.
func (s shop) write(data string) shop {
	s.history += s.data + ";"
	if strings.Count(s.history, ";") > undoable {
		_, s.history, _ = strings.Cut(s.history, ";")
	}
	s.data = data
	return s
}

// at returns the status of a pet; empty: there is none.
func (s shop) at(id int) string {
	if id > len(s.data) || s.data[id-1] == '-' {
		return ""
	}
	return s.data[id-1 : id]
}

// put returns the data with another status of a pet.
func (s shop) put(id int, status string) string { return s.data[:id-1] + status + s.data[id:] }

func (s shop) step(in call) (outcome, shop) {
	switch in.verb {
	case "create":
		return outcome{code: 201, id: len(s.data) + 1, status: in.status}, s.write(s.data + in.status)
	case "count":
		return outcome{code: 200, count: strings.Count(s.data, in.status)}, s
	case "export":
		return outcome{code: 200, data: s.data}, s
	case "fork":
		return outcome{code: 201, data: s.data}, s
	case "reset":
		return outcome{code: 200}, shop{kept: s.kept}
	case "undo":
		if s.history == "" {
			return outcome{code: 409}, s
		}
		steps := strings.Split(strings.TrimSuffix(s.history, ";"), ";")
		s.data = steps[len(steps)-1]
		s.history = strings.TrimSuffix(s.history, s.data+";")
		return outcome{code: 200}, s
	case "keep":
		code := 201
		if s.kept[in.name] != "" {
			code = 200
		}
		s.kept[in.name] = "=" + s.data
		return outcome{code: code}, s
	case "restore":
		if s.kept[in.name] == "" {
			return outcome{code: 404}, s
		}
		return outcome{code: 200}, s.write(s.kept[in.name][1:])
	}
	return s.stepPet(in)
}

// stepPet is step for what is done to one pet.
func (s shop) stepPet(in call) (outcome, shop) {
	old := s.at(in.id)
	switch {
	case old == "":
		return outcome{code: 404}, s
	case in.verb == "find":
		return outcome{code: 200, id: in.id, status: old}, s
	case in.verb == "delete":
		return outcome{code: 204}, s.write(s.put(in.id, "-"))
	case old != in.status: // what changes nothing cannot be undone
		s = s.write(s.put(in.id, in.status))
	}
	return outcome{code: 200, id: in.id, status: in.status}, s
}

var shopModel = porcupine.Model{
	Init: func() any { return shop{} },
	Step: func(state, in, out any) (bool, any) {
		want, next := state.(shop).step(in.(call))
		return out.(outcome).unknown || out.(outcome) == want, next
	},
}
