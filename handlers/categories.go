package handlers

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

var categories = &resource[store.Category]{
	kind:   "category",
	path:   "/categories",
	param:  "categoryId",
	idName: "id",
	fields: categoryFields,
	id:     func(c *store.Category) *int64 { return &c.ID },
	find:   (*store.State).FindCategory,
	insert: (*store.Tx).CreateCategory,
	update: (*store.Tx).UpdateCategory,
	remove: (*store.Tx).DeleteCategory,
}

var categoryFields = field.Fields[store.Category]{
	field.Ignored[store.Category]("id"), // set by the path
	field.Required("name", func(c *store.Category) *string { return &c.Name }, field.Text(1, store.MaxName)),
	field.Pointer("description", func(c *store.Category) **string { return &c.Description }, field.Text(0, store.MaxDescription)),
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
	return rest.List(x, x.View().ListCategories(query), query.Paging)
}
