package portrait

func drawHamster(c *canvas, k coat) {
	c.mirrored(func() {
		c.circle(58, 62, 18, k.main)
		c.circle(58, 63, 11, pink)
	})
	c.path("M100 50Q150 50 154 104Q172 130 164 172Q150 206 100 206Q50 206 36 172Q28 130 46 104Q50 50 100 50Z", k.main)
	c.ellipse(100, 172, 44, 40, k.light)
	switch c.between(0, 2) { // markings
	case 0:
		c.line("M100 53v28", k.dark, 10)
	case 1:
		c.path("M52 92Q50 52 100 50L100 84Q84 112 52 92Z", k.dark)
	}
	c.ellipse(68, 122, 29, 23, k.light) // full cheeks
	c.ellipse(132, 122, 29, 23, k.light)
	c.ellipse(100, 114, 24, 20, k.light)
	c.circle(62, 126, 8, "#f2a5a577")
	c.circle(138, 126, 8, "#f2a5a577")
	c.eyes(29, 94, 8)
	c.path("M93 104Q100 100 107 104Q106 111 100 113Q94 111 93 104Z", "#dd7d86")
	c.smile(100, 112, 9)
	c.path("M100 142Q114 152 108 172Q100 182 92 172Q86 152 100 142Z", "#4a4038") // a sunflower seed
	c.line("M100 150v22M95 155v14M105 155v14", "#e9e0cf", 2)
	c.ellipse(82, 162, 13, 9, pink)
	c.ellipse(118, 162, 13, 9, pink)
}

func drawGuineaPig(c *canvas, k coat) {
	c.facing(func() {
		c.ellipse(58, 176, 15, 8, pink)
		c.ellipse(122, 177, 15, 8, pink)
		const outline = "M24 140Q22 92 74 86Q104 76 136 84Q176 92 182 126Q184 148 164 158Q150 174 100 174Q28 176 24 140Z"
		c.path(outline, k.main)
		switch c.between(0, 2) { // one or two areas of other colours
		case 0:
			c.path("M74 86Q104 78 110 82Q96 128 112 174Q76 176 62 173Q44 130 74 86Z", k.light)
			c.path("M24 140Q22 100 60 88Q44 130 60 173Q28 170 24 140Z", k.dark)
		case 1:
			c.path("M24 140Q22 92 74 86Q96 80 100 81Q84 130 100 174Q28 176 24 140Z", k.light)
		case 2:
			c.path("M112 81Q96 128 114 174Q150 174 164 158Q184 148 182 126Q176 92 136 84Z", k.light)
			c.path("M136 84Q172 92 178 112Q160 118 148 108Q134 100 136 84Z", k.dark)
		}
		c.path("M98 84Q104 60 116 78Q126 58 132 82Q116 92 98 84Z", k.dark) // a tuft
		c.path("M116 92Q104 92 106 112Q112 130 126 122Q134 104 116 92Z", k.dark)
		c.path("M117 100Q112 104 114 112Q118 120 124 114Q126 104 117 100Z", pink)
		c.circle(147, 112, 8, ink)
		c.circle(150, 109, 3, white)
		c.ellipse(174, 128, 8, 6, "#e58a92")
		c.line("M174 134q-2 9 -13 8", ink, 3)
		c.circle(146, 134, 8, "#f2a5a577")
		c.line("M36 182q4 -14 -4 -22M30 184q-2 -10 -10 -14M176 184q-2 -12 6 -20", "#6faa5c", 4)
	})
}
