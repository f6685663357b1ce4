package connections

// Limit returns how many connections there can be, of those wanted: what the process's
// limit of open files leaves room for, beside the files that are no connections. It is
// at least 1.
func Limit(wanted int) int {
	files := openFiles()
	spare := min(max(files/4, 16), 64)
	return max(1, int(min(uint64(wanted), files-min(files, spare))))
}
