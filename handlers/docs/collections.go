package docs

import (
	"path"
	"strings"
)

// Collection describes the operations on the records of one noun: the operation that lists the
// records, and the operation that reads one record.
type Collection struct {
	Name      string // the last segment of the collection's path
	List, One string // operationIds
	ID        string // the path parameter of One
}

// Collections returns a collection for each path whose GET has an operationId that starts with
// list, in the document's order.
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
