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
	c.smile(100, 121, 16)
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
	c.smile(100, 120, 12)
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
	c.smile(100, 130, 12)
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
	c.smile(100, 133, 9)
	c.whiskers(20, 130)
	c.mirrored(func() { c.ellipse(84, 166, 9, 7, pink) })
}
