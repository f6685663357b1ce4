package portrait

import "fmt"

func drawDog(c *canvas, k coat) {
	floppy := !c.oneIn(3)
	c.ellipse(100, 192, 58, 52, k.main)
	c.ellipse(100, 196, 30, 40, k.light)
	if !floppy {
		c.mirrored(func() {
			c.path("M52 86L46 26Q70 34 92 62Z", k.dark)
			c.path("M58 74L55 40Q68 46 80 60Z", pink)
		})
	}
	c.ellipse(100, 96, 54, 50, k.main)
	switch c.between(0, 2) { // markings
	case 0:
		c.path("M100 46Q84 60 90 112L110 112Q116 60 100 46Z", k.light)
	case 1:
		c.ellipse(76, 88, 22, 24, k.dark)
	}
	c.ellipse(100, 122, 34, 27, k.light)
	c.eyes(23, 90, 8)
	if floppy {
		drop := c.between(104, 122)
		c.mirrored(func() {
			c.path(fmt.Sprintf("M72 50Q40 42 34 76Q30 104 42 %dQ60 %d 60 92Q60 66 72 50Z", drop, drop+6), k.dark)
		})
	}
	c.path("M86 106Q100 98 114 106Q114 118 100 122Q86 118 86 106Z", ink)
	c.circle(94, 107, 3, "#ffffff99")
	if c.oneIn(2) {
		c.path("M91 132Q100 138 109 132L108 148Q100 156 92 148Z", "#ee7f86")
	}
	c.smile(121, 16)
	c.collar(150, 40)
}

func drawCat(c *canvas, k coat) {
	c.ellipse(100, 196, 54, 52, k.main)
	c.ellipse(100, 200, 26, 38, k.light)
	c.mirrored(func() {
		c.path("M50 92L44 30Q72 40 92 62Z", k.main)
		c.path("M57 74L53 44Q68 50 80 62Z", pink)
	})
	c.ellipse(100, 104, 58, 48, k.main)
	switch c.between(0, 3) { // markings
	case 0, 1:
		c.line("M100 60v20M84 63l4 16M116 63l-4 16M44 104l16 3M46 118l15 -1M156 104l-16 3M154 118l-15 -1", k.dark, 6)
	case 2:
		c.path("M100 57Q140 56 154 88Q150 110 122 108Q104 100 100 57Z", k.dark)
	case 3:
		c.ellipse(100, 118, 34, 28, k.dark)
	}
	c.ellipse(86, 124, 17, 14, k.light)
	c.ellipse(114, 124, 17, 14, k.light)
	iris := pick(c, []string{"#8fbf4d", "#e0b13c", "#6cb4d9", "#6fc2a0"})
	for _, x := range []int{76, 124} {
		c.ellipse(x, 98, 13, 12, iris)
		c.ellipse(x, 98, 5, 11, ink)
		c.circle(x+3, 93, 3, white)
	}
	c.path("M92 112Q100 109 108 112L100 121Z", "#e58a92")
	c.smile(120, 12)
	c.whiskers(30, 124)
	if c.oneIn(2) {
		c.collar(156, 36)
	}
}

func drawRabbit(c *canvas, k coat) {
	ear := func(lop bool) func() {
		return func() {
			if lop {
				c.turned(52, 100, 15, 44, 14, k.main)
				c.turned(51, 104, 8, 32, 14, pink)
				return
			}
			c.turned(76, 48, 16, 46, -8, k.main)
			c.turned(76, 50, 8, 36, -8, pink)
		}
	}
	lop := c.oneIn(4)
	c.ellipse(100, 200, 52, 46, k.main)
	c.ellipse(100, 204, 27, 34, k.light)
	if !lop {
		c.mirrored(ear(false))
	}
	c.ellipse(100, 118, 47, 45, k.main)
	switch c.between(0, 2) { // markings
	case 0:
		c.path("M100 74Q90 92 94 124L106 124Q110 92 100 74Z", k.light)
	case 1:
		c.ellipse(78, 110, 19, 21, k.dark)
	}
	if lop {
		c.mirrored(ear(true))
	}
	c.circle(84, 136, 19, k.light)
	c.circle(116, 136, 19, k.light)
	c.eyes(25, 110, 8)
	c.rect(93, 140, 14, 15, 3, white)
	c.line("M100 141v13", "#d8d2cc", 2)
	c.path("M91 122Q100 117 109 122Q107 130 100 132Q93 130 91 122Z", "#e58a92")
	c.smile(130, 12)
	c.whiskers(32, 134)
}

func drawMouse(c *canvas, k coat) {
	c.line("M150 180q34 -6 30 -46", pink, 7)
	c.ellipse(100, 190, 50, 48, k.main)
	c.ellipse(100, 196, 27, 36, k.light)
	c.mirrored(func() {
		c.circle(56, 66, 33, k.main)
		c.circle(56, 68, 22, pink)
	})
	c.path("M52 98Q56 60 100 60Q144 60 148 98Q146 122 118 138Q100 152 82 138Q54 122 52 98Z", k.main)
	if c.oneIn(2) {
		c.path("M100 60Q91 78 94 118L106 118Q109 78 100 60Z", k.light)
	}
	c.ellipse(100, 132, 19, 15, k.light)
	c.eyes(24, 98, 9)
	c.circle(100, 126, 8, "#e07b86")
	c.smile(133, 9)
	c.whiskers(20, 130)
	c.mirrored(func() { c.ellipse(84, 166, 9, 7, pink) })
}

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
	c.smile(112, 9)
	c.path("M100 142Q114 152 108 172Q100 182 92 172Q86 152 100 142Z", "#4a4038") // a sunflower seed
	c.line("M100 150v22M95 155v14M105 155v14", "#e9e0cf", 2)
	c.ellipse(82, 162, 13, 9, pink)
	c.ellipse(118, 162, 13, 9, pink)
}

func drawGuineaPig(c *canvas, k coat) {
	c.facing(func() {
		c.ellipse(58, 176, 15, 8, pink)
		c.ellipse(122, 177, 15, 8, pink)
		const outline = "M24 140Q22 92 74 86Q104 76 136 84Q176 92 182 126Q184 148 164 " +
			"158Q150 174 100 174Q28 176 24 140Z"
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
