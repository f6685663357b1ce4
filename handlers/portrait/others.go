package portrait

import "fmt"

func drawBird(c *canvas, k coat) {
	c.path("M86 168L84 200L100 190L116 200L114 168Z", k.dark)
	c.ellipse(100, 126, 45, 56, k.main)
	c.ellipse(100, 142, 28, 36, k.light)
	c.mirrored(func() { c.path("M58 106Q48 132 60 166Q76 156 80 128Q76 108 58 106Z", k.dark) })
	if c.oneIn(3) { // a crest
		c.path("M90 40Q72 16 90 8Q90 22 98 26Q98 6 114 6Q106 22 112 40Z", k.light)
	}
	c.circle(100, 72, 40, k.main)
	switch c.between(0, 2) { // markings
	case 0:
		c.path("M66 58Q82 30 100 32Q118 30 134 58Q100 48 66 58Z", k.dark)
	case 1:
		c.line("M74 50q26 -14 52 0M72 42q28 -14 56 0", k.dark, 4)
	}
	c.ellipse(100, 86, 26, 22, k.light)
	c.circle(76, 92, 8, "#ee8f7a99")
	c.circle(124, 92, 8, "#ee8f7a99")
	c.eyes(19, 68, 8)
	c.path("M87 76Q100 66 113 76Q112 96 100 106Q88 96 87 76Z", "#f0a63c")
	c.line("M88 82q12 8 24 0", "#b8741d", 2)
	c.rect(14, 178, 172, 10, 5, "#9a6b45")
	c.line("M84 176v12M92 176v12M108 176v12M116 176v12", "#e0954a", 5)
}

func drawFish(c *canvas, k coat) {
	c.rect(0, 0, 200, 200, 0, pick(c, []string{"#a9dcec", "#9fd3e6", "#b5e3dd", "#a6cdf0"}))
	c.line("M28 200q-10 -24 2 -44t-4 -40M170 200q12 -20 0 -40t6 -34", "#6fb78a", 7)
	c.path("M0 186Q50 174 100 186T200 184V200H0Z", "#ead9a8")
	c.facing(func() {
		c.path("M58 104Q22 64 14 72Q24 104 12 138Q24 142 58 108Z", k.dark)
		c.path(fmt.Sprintf("M82 70Q100 %d 140 62L128 78Z", c.between(30, 44)), k.dark)
		c.path("M96 136Q92 160 118 158L124 134Z", k.dark)
		c.ellipse(110, 104, 62, 42, k.main)
		switch c.between(0, 2) { // markings
		case 0:
			c.line("M92 74q-10 30 0 60M112 68q-10 36 0 72", k.light, 10)
		case 1:
			c.path("M60 84Q84 58 118 63Q104 96 72 96Z", k.light)
			c.circle(104, 126, 10, k.light)
		}
		c.line("M78 94q8 8 0 16M94 86q8 8 0 16M94 106q8 8 0 16M110 96q8 8 0 16", k.dark, 3)
		c.path("M134 66Q172 80 172 104Q172 128 136 142Q120 104 134 66Z", k.main)
		c.path("M112 112Q96 124 104 134Q122 132 126 118Z", k.dark)
		c.circle(146, 94, 13, white)
		c.circle(149, 94, 8, ink)
		c.circle(152, 91, 3, white)
		c.line("M170 112q-9 4 -12 -2", ink, 3)
		c.circle(182, 76, 5, "#ffffffaa")
		c.circle(174, 52, 7, "#ffffffaa")
		c.circle(184, 30, 4, "#ffffffaa")
	})
}

func drawTortoise(c *canvas, k coat) {
	skin := pick(c, []string{"#9dbb6a", "#b7b26a", "#86ae7c", "#c0a873"})
	c.facing(func() {
		c.path("M30 158L16 166L34 146Z", skin)
		c.rect(48, 150, 28, 34, 12, skin)
		c.rect(112, 150, 28, 34, 12, skin)
		c.path("M132 156Q138 112 150 98Q152 78 170 78Q190 80 190 102Q188 122 168 124Q162 140 150 162Z", skin)
		c.path("M22 158Q24 68 88 64Q150 68 154 158Q88 172 22 158Z", k.main)
		c.path("M18 152Q88 172 158 152Q162 166 152 168Q88 180 24 168Q14 164 18 152Z", k.dark)
		c.path("M66 88L110 88L122 118L88 138L54 118Z", k.light)
		c.path("M50 84L62 84L50 112L30 122Q34 98 50 84ZM126 84L114 84L126 112L146 122Q142 98 126 84Z", k.dark)
		c.path("M30 132L50 122L80 142L76 160Q46 160 26 154ZM146 132L126 122L96 142L100 160Q130 160 150 154Z", k.dark)
		c.path("M70 78Q88 70 106 78L104 82H72Z", k.dark)
		if c.oneIn(2) {
			c.path("M78 100L98 100L104 116L88 126L72 116Z", k.main)
		}
		c.circle(172, 96, 6, ink)
		c.circle(174, 94, 2, white)
		c.line("M188 106q-8 8 -18 5", ink, 3)
		c.line("M54 184v-6M62 184v-6M118 184v-6M126 184v-6", "#00000044", 3)
	})
}

func drawSnake(c *canvas, k coat) {
	c.facing(func() {
		c.ellipse(96, 166, 70, 22, k.dark)
		c.line("M40 160q56 28 114 0", k.main, 26)
		c.line("M52 138q44 24 92 0", k.main, 24)
		c.line("M66 118Q100 138 128 116Q138 98 118 74", k.main, 24)
		switch c.between(0, 1) { // markings
		case 0:
			c.line("M56 166l2 10M84 172v10M112 172l-1 10M138 166l-3 10M72 144l-2 9M98 147v9M124 144l2 9M92 124l2 8",
				k.light, 9)
		case 1:
			c.line("M40 160q56 28 114 0M52 138q44 24 92 0M66 118Q100 138 128 116Q138 98 118 74", k.dark, 6)
		}
		c.path("M84 66Q86 38 116 36Q148 38 150 62Q148 82 118 86Q86 86 84 66Z", k.main)
		c.path("M104 38Q116 34 128 38Q126 54 116 58Q106 54 104 38Z", k.dark)
		c.ellipse(118, 77, 24, 8, k.light)
		for _, x := range []int{100, 134} {
			c.ellipse(x, 58, 9, 9, "#f2cf4a")
			c.ellipse(x, 58, 3, 8, ink)
			c.circle(x+2, 55, 2, white)
		}
		c.line("M118 82v18l-7 9M118 100l7 9", "#d6485a", 4)
		c.line("M100 76q18 8 36 0", ink, 3)
	})
}

func drawLizard(c *canvas, k coat) {
	c.facing(func() {
		c.rect(0, 158, 200, 16, 8, "#9a6b45")
		c.line("M60 140Q20 142 22 170Q28 194 52 186", k.main, 13)
		c.path("M52 138Q60 108 104 112Q136 78 168 92Q190 104 184 118Q170 134 142 136Q116 160 76 156Q52 156 52 138Z",
			k.main)
		c.path("M62 122L70 106L80 114L90 100L98 110L110 94L116 104Q84 112 62 122Z", k.dark)
		c.line("M78 150l-8 16M124 148l10 16", k.main, 13)
		c.line("M62 168h16M128 168h16", k.dark, 7)
		for i := range 5 {
			c.circle(76+14*i, 134-c.between(0, 10), c.between(3, 6), k.light)
		}
		c.path("M142 136Q164 134 180 122Q172 142 150 142Z", k.light)
		c.circle(156, 104, 12, k.light)
		c.circle(157, 104, 8, ink)
		c.circle(160, 101, 3, white)
		c.line("M184 118q-14 10 -30 8", ink, 3)
	})
}

func drawFrog(c *canvas, k coat) {
	c.ellipse(100, 184, 90, 22, "#7fbf8e")
	c.mirrored(func() {
		c.path("M44 178Q20 176 24 146Q40 116 66 140Z", k.dark)
		c.line("M64 166q-4 14 -18 16", k.dark, 12)
		c.circle(64, 66, 26, k.main)
	})
	c.path("M100 60Q168 62 166 122Q164 178 100 180Q36 178 34 122Q32 62 100 60Z", k.main)
	c.ellipse(100, 150, 44, 28, k.light)
	for range c.between(0, 4) {
		c.circle(c.between(70, 130), c.between(72, 94), c.between(4, 7), k.dark)
	}
	for _, x := range []int{64, 136} {
		c.circle(x, 64, 17, white)
		c.circle(x, 65, 10, ink)
		c.circle(x+3, 61, 3, white)
	}
	c.line("M50 114Q100 150 150 114", ink, 4)
	c.circle(94, 102, 2, ink)
	c.circle(106, 102, 2, ink)
	c.circle(52, 126, 8, "#f2a5a577")
	c.circle(148, 126, 8, "#f2a5a577")
}
