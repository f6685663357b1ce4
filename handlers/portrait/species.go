package portrait

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// species is a kind of animal. A category whose name contains one of its words has this animal.
type species struct {
	name  string
	words []string
	coats []coat
	draw  func(*canvas, coat)
}

var furs = []coat{
	{"brown", "#b07a4a", "#7a4f2c", "#f1dcc0"}, {"golden", "#e0aa5b", "#b57d33", "#fae8c8"},
	{"black", "#4b4649", "#2e2a2d", "#d9d0c7"},
	{"grey", "#9aa0a8", "#6a7079", "#e9ecef"}, {"white", "#f3eee6", "#cbbba6", "#ffffff"},
	{"ginger", "#e08a45", "#b4602a", "#fbe6cf"},
	{"chocolate", "#7d5238", "#553421", "#e7cfb4"}, {"cream", "#ecd5ae", "#c9a873", "#fdf5e2"},
}

var feathers = []coat{
	{"green", "#7cc25a", "#4c8f3a", "#f6e36a"}, {"blue", "#6cb0e6", "#3d78b5", "#f4f8fb"},
	{"yellow", "#f5d04e", "#d19f26", "#fff3b8"},
	{"turquoise", "#5ec6bd", "#338d8b", "#eafaf0"}, {"violet", "#a08bd8", "#6a56a8", "#f3eefb"},
	{"white", "#f4f3ef", "#c9ccd2", "#ffffff"},
	{"red", "#e2604f", "#2f72b8", "#f6cf5a"}, {"grey", "#a9b0b7", "#6e7780", "#f4e58f"},
}

var scales = []coat{
	{"orange", "#f5893c", "#d4601f", "#ffd9a0"}, {"golden", "#f4bd3d", "#d08f1e", "#fff0b5"},
	{"red", "#e3553f", "#b1362a", "#ffffff"},
	{"pearl", "#f1ece2", "#e58a4a", "#f5a45c"}, {"black", "#4a4b57", "#2f303a", "#8a8c9c"},
	{"blue", "#4f8fd6", "#2f62a3", "#bfe0f7"},
	{"violet", "#9a75d1", "#6c49a5", "#e7d6fb"}, {"silver", "#b4c2cf", "#7d8e9e", "#f2f7fa"},
}

var shells = []coat{
	{"brown", "#a5733f", "#7a5029", "#d6a664"}, {"olive", "#87904a", "#5e6731", "#bcc272"},
	{"green", "#6a9a56", "#44713a", "#a5cc85"},
	{"amber", "#cf9440", "#8e5f24", "#f0cd7d"}, {"grey", "#8d8a80", "#625f57", "#bcb8a8"},
	{"chestnut", "#8e5136", "#623322", "#c98a62"},
}

var skins = []coat{
	{"green", "#7db851", "#558a34", "#d9ecaa"}, {"lime", "#a6cf4b", "#74992c", "#eef5b5"},
	{"orange", "#e88a47", "#b95a2b", "#fbdcae"},
	{"sandy", "#d9b679", "#a98446", "#f7ead0"}, {"turquoise", "#55b3a0", "#2f8174", "#cdeee2"},
	{"grey", "#96a08c", "#687262", "#dfe4d4"},
	{"red", "#cf5a4a", "#933a31", "#f6cfae"},
}

// all lists the animals that can be drawn. speciesOf searches for their words in this order,
// because some names contain the words of several animals.
var all = []species{
	{"guinea pig", []string{"guinea", "cavy", "cavies", "capybara", "degu"}, furs, drawGuineaPig},
	{"hamster", []string{"hamster", "gerbil", "hedgehog"}, furs, drawHamster},
	{"mouse", []string{"mouse", "mice", "rats", "rodent", "chinchilla", "glider", "squirrel"}, furs, drawMouse},
	{"rabbit", []string{"rabbit", "bunn", "hare"}, furs, drawRabbit},
	{"tortoise", []string{"tortoise", "turtle", "terrapin", "reptile"}, shells, drawTortoise},
	{"snake", []string{"snake", "python", "boa", "viper"}, skins, drawSnake},
	{"lizard", []string{"lizard", "gecko", "dragon", "chameleon", "iguana", "skink"}, skins, drawLizard},
	{"frog", []string{"frog", "toad", "newt", "axolotl", "salamander", "amphibian"}, skins, drawFrog},
	{"fish", []string{"fish", "koi", "carp", "gupp", "betta", "tetra", "aquari"}, scales, drawFish},
	{"bird",
		[]string{"bird", "parakeet", "parrot", "budg", "canar", "cockat", "finch", "macaw", "dove", "pigeon", "quail",
			"chicken", "duck", "owl"}, feathers, drawBird},
	{"cat", []string{"cat", "kitten", "ferret"}, furs, drawCat},
	{"dog", []string{"dog", "pupp", "hound", "terrier"}, furs, drawDog},
}

// speciesOf returns the animal for the named category. If the name contains no known word, a hash
// of the name selects the animal.
func speciesOf(category string) *species {
	name := strings.ToLower(category)
	says := func(s species) bool {
		return slices.ContainsFunc(s.words, func(word string) bool { return strings.Contains(name, word) })
	}
	if i := slices.IndexFunc(all, says); i >= 0 {
		return &all[i]
	}
	return &all[xxhash.Sum64String(name)%uint64(len(all))]
}
