package handlers

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var categories = &resource[store.Category]{
	kind:   "category",
	path:   "/categories",
	param:  "categoryId",
	idName: "id",
	read:   readCategory,
	id:     func(c *store.Category) *int64 { return &c.ID },
	find:   (*store.State).FindCategory,
	insert: (*store.Tx).CreateCategory,
	update: (*store.Tx).UpdateCategory,
	remove: (*store.Tx).DeleteCategory,
}

func readCategory(o *rest.Object, c *store.Category) {
	o.String("name", &c.Name, rest.Must, "", 1, longestName)
	o.OptionalString("description", &c.Description, longestDescription)
}

var categoryQuery = []string{"limit", "offset", "sort", "name"}

func listCategories(x *rest.Exchange) error {
	q := x.ReadQuery()
	query := store.CategoryQuery{
		Paging: q.Paging("id", "name", "description"),
		Name:   q.Text("name"),
	}
	if err := q.Err(); err != nil {
		return err
	}
	return rest.List(x, x.Sandbox.Store.View().ListCategories(query), query.Paging)
}
