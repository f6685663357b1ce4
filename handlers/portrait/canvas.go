package portrait

import "fmt"

// Colours that several animals share.
const (
	ink   = "#2f2a2b"
	white = "#ffffff"
	pink  = "#f2a5a5"
)

func (c *canvas) circle(x, y, r int, fill string) {
	fmt.Fprintf(c, `<circle cx="%d" cy="%d" r="%d" fill="%s"/>`, x, y, r, fill)
}

func (c *canvas) ellipse(x, y, rx, ry int, fill string) {
	fmt.Fprintf(c, `<ellipse cx="%d" cy="%d" rx="%d" ry="%d" fill="%s"/>`, x, y, rx, ry, fill)
}

// turned draws an ellipse that is rotated clockwise about its centre by the number of degrees.
func (c *canvas) turned(x, y, rx, ry, degrees int, fill string) {
	fmt.Fprintf(c, `<ellipse cx="%d" cy="%d" rx="%d" ry="%d" fill="%s" transform="rotate(%d %[1]d %[2]d)"/>`, x, y, rx,
		ry, fill, degrees)
}

func (c *canvas) rect(x, y, width, height, round int, fill string) {
	fmt.Fprintf(c, `<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s"/>`, x, y, width, height, round, fill)
}

// path draws a filled shape from SVG path commands.
func (c *canvas) path(commands, fill string) {
	fmt.Fprintf(c, `<path d="%s" fill="%s"/>`, commands, fill)
}

// line draws a stroke along SVG path commands.
func (c *canvas) line(commands, colour string, width int) {
	fmt.Fprintf(c,
		`<path d="%s" fill="none" stroke="%s" stroke-width="%d" stroke-linecap="round" stroke-linejoin="round"/>`,
		commands, colour, width)
}

// mirrored calls draw twice: once for the original and once for its mirror image about the vertical
// centre line.
func (c *canvas) mirrored(draw func()) {
	draw()
	c.group("translate(200 0) scale(-1 1)", draw)
}

func (c *canvas) group(transform string, draw func()) {
	fmt.Fprintf(c, `<g transform="%s">`, transform)
	draw()
	c.WriteString(`</g>`)
}

// facing calls draw. With probability 1/2, it mirrors the drawing.
func (c *canvas) facing(draw func()) {
	if c.oneIn(2) {
		c.group("translate(200 0) scale(-1 1)", draw)
		return
	}
	draw()
}

// eyes draws two dark eyes at a distance of dx from the centre line. The right eye may wink.
func (c *canvas) eyes(dx, y, r int) {
	wink := c.oneIn(14)
	for _, x := range []int{100 - dx, 100 + dx} {
		if wink && x > 100 {
			c.line(fmt.Sprintf("M%d %dq%d %d %d 0", x-r, y, r, -r, 2*r), ink, 4)
			continue
		}
		c.circle(x, y, r+2, "#ffffff40") // a ring that makes the eye visible on dark fur
		c.circle(x, y, r, ink)
		c.circle(x+r/3, y-r/3, max(2, r/3), white)
	}
}

// smile draws a mouth on the centre line below a nose whose lower end is at y.
func (c *canvas) smile(y, width int) {
	c.line(fmt.Sprintf("M100 %dv7m%d 0q%d %d %d 0q%d %d %d 0", y, -width, width/2, width/2+2, width, width/2,
		width/2+2, width), ink, 3)
}

// whiskers draws three whiskers on each side. They start at a distance of dx from the centre line.
func (c *canvas) whiskers(dx, y int) {
	c.mirrored(func() {
		for i := -1; i <= 1; i++ {
			c.line(fmt.Sprintf("M%d %dl30 %d", 100+dx, y+6*i, 7*i), "#00000055", 2)
		}
	})
}

// collar draws a collar with a tag. half is half the width of the collar.
func (c *canvas) collar(y, half int) {
	colour := pick(c, []string{"#d64545", "#3d7dd8", "#2f9e6e", "#e8963a", "#8a5cc9", "#e05c97"})
	c.line(fmt.Sprintf("M%d %dq%d 16 %d 0", 100-half, y, half, 2*half), colour, 9)
	c.circle(100, y+15, 7, "#f4cf5b")
}
