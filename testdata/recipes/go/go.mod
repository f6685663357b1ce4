module example.com/shop

go 1.26

require example.com/petstore v0.0.0

// A clone of the petstore, beside this module.
replace example.com/petstore => ../petstore
