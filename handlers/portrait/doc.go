// Package portrait draws pets as SVG pictures of a few kilobytes. The name of the category
// determines the animal. The id of the pet determines its coat, markings and surroundings.
//
// # Files
//
//	portrait.go  draws the whole picture and chooses its colours
//	species.go   chooses the animal for a category
//	canvas.go    draws shapes and the parts that faces share
//	mammals.go   draws dogs, cats, rabbits, mice, hamsters and guinea pigs
//	others.go    draws birds, fish, tortoises, snakes, lizards and frogs
package portrait
