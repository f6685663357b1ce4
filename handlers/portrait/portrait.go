package portrait

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// MaxBytes is the maximum size of a portrait, in bytes.
const MaxBytes = 8 << 10

// Draw returns an SVG portrait of the pet with the given id in the named category. Equal arguments
// give equal portraits. A portrait has at most [MaxBytes] bytes and contains no scripts and no
// external references.
func Draw(id int64, category string) []byte {
	animal := speciesOf(category)
	// Hash the id, because similar seeds give similar first numbers.
	c := &canvas{chance: rand.New(rand.NewPCG(xxhash.Sum64String(strconv.FormatInt(id, 10)), 0))}
	coat, backdrop := pick(c, animal.coats), pick(c, backdrops)
	c.WriteString(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="200" height="200" role="img"><title>`)
	_ = xml.EscapeText(c, []byte(title(id, coat.name+" "+animal.name, category))) // writing to a buffer cannot fail
	c.WriteString(`</title>`)
	c.rect(0, 0, 200, 200, 0, backdrop.sky)
	c.circle(c.between(30, 170), c.between(30, 80), c.between(26, 40), backdrop.light)
	c.ellipse(100, 205, 150, 52, backdrop.ground)
	animal.draw(c, coat)
	c.WriteString("</svg>\n")
	return c.Bytes()
}

// title returns a description of the picture for screen readers.
func title(id int64, animal, category string) string {
	article := "a"
	if strings.ContainsRune("aeiou", rune(animal[0])) {
		article = "an"
	}
	const most = 100 // maximum length of the category's name, in characters
	if utf8.RuneCountInString(category) > most {
		category = string([]rune(category)[:most]) + "…"
	}
	return fmt.Sprintf("Pet %d, %s %s (%s)", id, article, animal, category)
}

// coat contains the colours of an animal.
type coat struct {
	name              string // for the title
	main, dark, light string
}

// backdrop contains the colours behind an animal.
type backdrop struct{ sky, light, ground string }

var backdrops = []backdrop{
	{"#cfe8f5", "#fff6d6", "#a9d29b"},
	{"#fde2cf", "#fff4e3", "#e9b890"},
	{"#dfe7fb", "#f6f8ff", "#b4c3ea"},
	{"#dff3e4", "#f7fff2", "#9fcfae"},
	{"#fbe3ec", "#fff5f9", "#e8b3c9"},
	{"#f6edcf", "#fffbea", "#d9c583"},
	{"#e9e1f6", "#faf6ff", "#c1b0e2"},
	{"#d6f1ef", "#f2fffd", "#8fcbc4"},
}

// pick returns one of the values at random.
func pick[T any](c *canvas, values []T) T { return values[c.chance.IntN(len(values))] }

// canvas is a picture that is being drawn, with the source of its random numbers.
type canvas struct {
	bytes.Buffer
	chance *rand.Rand
}

// between returns a random number in the range from least to most, inclusive.
func (c *canvas) between(least, most int) int { return least + c.chance.IntN(most-least+1) }

// oneIn returns true with probability 1/n.
func (c *canvas) oneIn(n int) bool { return c.chance.IntN(n) == 0 }
