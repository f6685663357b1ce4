package connections

// Limit returns the most connections, at most wanted, that the process's limit of open files allows
// beside its other files. It is at least 1.
func Limit(wanted int) int {
	files := openFiles()
	spare := min(max(files/4, 16), 64)
	return max(1, int(min(uint64(wanted), files-min(files, spare))))
}
