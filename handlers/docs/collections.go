package docs

import (
	"path"
	"strings"
)

// Collection is the records of one noun: the operations that list them and read one of them,
// and the path parameter of that.
type Collection struct {
	Name      string // the last segment of its path
	List, One string // operationIds
	ID        string
}

// Collections returns what the document says of each path whose GET is called list and
// something, in its order.
func (d *Document) Collections() []Collection {
	paths := child(d.parse().Content[0], "paths")
	var all []Collection
	reads := func(i int) (operationID string) {
		if get := child(paths.Content[i+1], "get"); get != nil {
			operationID = child(get, "operationId").Value
		}
		return operationID
	}
	for i := 0; i < len(paths.Content); i += 2 {
		at, operation := paths.Content[i].Value, reads(i)
		if !strings.HasPrefix(operation, "list") {
			continue
		}
		c := Collection{Name: path.Base(at), List: operation}
		for j := 0; j < len(paths.Content); j += 2 {
			if id, ok := strings.CutPrefix(paths.Content[j].Value, at+"/{"); ok && !strings.Contains(id, "/") {
				c.ID, c.One = strings.TrimSuffix(id, "}"), reads(j)
			}
		}
		all = append(all, c)
	}
	return all
}
