// Package portrait draws pets: an animal by the name of the pet's category, with coat,
// markings and surroundings by its id, as an SVG picture of some kilobytes.
//
// # Files
//
//	portrait.go  Draw: the picture as a whole, and what its colours are drawn from
//	species.go   which animal a category has
//	canvas.go    shapes, and what faces have in common
//	mammals.go   dogs, cats, rabbits, mice
//	rodents.go   hamsters, guinea pigs
//	others.go    birds, fish, tortoises, snakes, lizards, frogs
package portrait
