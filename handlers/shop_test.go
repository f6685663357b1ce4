package handlers_test

import (
	"strings"

	"github.com/anishathalye/porcupine"
)

// call is one operation of the history. outcome is its HTTP response.
type call struct {
	verb   string
	id     int    // of a pet
	status string // of a pet: its first letter
	name   int    // of a snapshot
}

type outcome struct {
	unknown bool // the response is unknown, even if the operation is known to have run
	code    int  // the HTTP status
	id      int
	status  string
	count   int
	data    string
}

// shop is the sequential model of one sandbox. Its strings make it compare and copy by
// value, which keeps the model's step pure.
type shop struct {
	data    string    // the status of every pet ever created, by id, or "-" for a deleted pet
	kept    [2]string // the snapshots, each after a "=", or empty
	history string    // the states that undo restores, each followed by a ";"
}

// undoable is the number of writes that can be undone.
const undoable = 100

// write returns the shop after a write that can be undone.
func (s shop) write(data string) shop {
	s.history += s.data + ";"
	if strings.Count(s.history, ";") > undoable {
		_, s.history, _ = strings.Cut(s.history, ";")
	}
	s.data = data
	return s
}

// at returns the status of a pet, or "" if it does not exist.
func (s shop) at(id int) string {
	if id > len(s.data) || s.data[id-1] == '-' {
		return ""
	}
	return s.data[id-1 : id]
}

// put returns the data with a pet's status replaced.
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

// stepPet is step for operations on one pet.
func (s shop) stepPet(in call) (outcome, shop) {
	old := s.at(in.id)
	switch {
	case old == "":
		return outcome{code: 404}, s
	case in.verb == "find":
		return outcome{code: 200, id: in.id, status: old}, s
	case in.verb == "delete":
		return outcome{code: 204}, s.write(s.put(in.id, "-"))
	case old != in.status: // an update without a change cannot be undone
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
