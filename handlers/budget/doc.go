// Package budget measures the service's speed and memory, and prints each figure and its
// budget as a Markdown table:
//
//	go test -run '^$' -bench . -benchtime 200000x -timeout 1h ./handlers/budget
//
// Most benchmarks compare the service with a bare net/http server that writes the same bytes. Each
// server is a separate process, and connections use the loopback interface. The servers take turns
// within one run, so that the ratios are meaningful on a shared and noisy machine. The flag
// -benchtime sets the number of requests. The benchmarks of start, memory, work and growth ignore
// this flag, and -short makes them quick but inexact. The absolute figures are from one machine at one time.
//
// # Figures
//
//	rps/bare       the share of the bare server's requests per second (more is better)
//	cpu/bare       the processor time, as a multiple of the bare server's (less is better)
//	rps/off        like rps/bare, but compared with the service without its journal
//	cpu/off        like cpu/bare, but compared with the service without its journal
//	rps/none       like rps/bare, but compared with the service without a webhook
//	cpu/none       like cpu/bare, but compared with the service without a webhook
//	time/bare      the time from exec to the first 200, as a multiple of the bare server's
//	MB-idle        resident memory after the first response
//	MB-after       resident memory after a million requests, connections included
//	MB-under-load  resident memory under load
//	MB             resident memory (of sandboxes: after unused memory was released), or the size of the binary
//	kB-beyond      memory used for a client that does not read, minus the size of its response
//	x-bytes        the peak memory of an import, as a multiple of its bytes
//	export/state   the time to export a world, as a multiple of the time to export its state
//	import/state   the time to import a world, as a multiple of the time to import its state
//	µs-1eN         the median time of an operation with 10^N pets
//	time-1eN/1e3   an operation's time with 10^N pets, as a multiple of the time with a thousand
//
// # Measured
//
// These figures were measured on 2026-11-22, in one run of 20,000 requests each, on an otherwise
// idle machine with two cores. The start and the binary were measured on 2026-11-25, and the
// imports, the client that reads nothing and the untouched sandbox on 2026-11-28. Where a row has a
// range, runs of 2026-11-29 differed that much.
//
//	                               measured                      budget            missed
//	GET one pet                    0.68 rps, 1.49 cpu            ≥ 0.82, ≤ 1.35    both
//	GET one category               0.68 rps, 1.56 cpu            ≥ 0.82, ≤ 1.35    both
//	list of 20                     0.68 rps                      ≥ 0.75            rps
//	POST, 100 pets                 0.57 to 0.62 rps              ≥ 0.65            rps
//	POST, 1,000 pets               0.53 to 0.64 rps              ≥ 0.65            rps
//	POST, 1,000,000 pets           0.51 to 0.53 rps              ≥ 0.65            rps
//	POST, growth to 1,000,000      1.27 x                        ≤ 1.5
//	journal on against off, GET    0.87 rps                      ≥ 0.95            rps (0.87 to 0.97 in shorter runs)
//	journal on against off, POST   1.02 rps                      ≥ 0.95            (0.90 in a shorter run)
//	POST, webhook for other events 0.94 rps, 1.05 cpu (compared with a POST without a webhook)
//	POST, webhook for its event    1.15 rps, 1.09 cpu (compared with a POST without a webhook)
//	start                          2.0 x bare (5.6 ms)           ≤ 2
//	start with 1,000,000 pets      1.1 s                         ≤ 2 s
//	resident, idle                 17.8 MB                       ≤ 20
//	after 1,000,000 requests       46 MB                         ≤ 48
//	1,000,000 pets                 244 MB                        ≤ 260
//	10,000 sandboxes x 20 writes   352 to 401 MB                 ≤ 400             once (435 to 520 under load)
//	  with a browser's headers     380 to 407 MB                 ≤ 400             once (478 to 521 under load)
//	a client that reads nothing    10 kB beyond its response     ≤ 64
//	import of an export            4.2 x its bytes               ≤ 6
//	import of nothing but faults   3.2 x                         ≤ 6
//	import of nothing but ids      12 x                          ≤ 6               yes
//	a world out, 100,000 pets      1.10 x a state                ≤ 1.5             (1.23 with 1,000)
//	a world in, 100,000 pets       1.26 x                        ≤ 1.5             (1.09 with 1,000)
//	reset, snapshot                0.31, 0.23 µs                 ≤ 2
//	fork, new sandbox              0.85, 0.84 µs                 ≤ 2
//	a pet at 1,000,000             111 bytes                     ≤ 250
//	an untouched sandbox           1,636 bytes                   ≤ 2,048
//	binary, as released            15.9 MB (22.1 with symbols)   ≤ 25
//
// Growth is an operation's time as a multiple of its time with 1,000 pets, 1,000 categories, 1,000
// orders and 1,000 messages. The budget is 3, and 1.5 for createPet. No operation missed it:
//
//	                       1e6        |                       1e6
//	getPet                 1.28       |  listOrders, middle   1.04
//	listPets, first page   1.00       |  getOrder             1.54
//	  middle               0.98       |  updateOrder          1.29
//	  filtered             1.12       |  replaceOrder         1.09
//	  descending           1.02       |  deleteOrder          1.89
//	listInventory, middle  1.04       |  listMessages, middle 1.10
//	getInventoryItem       1.15       |  getMessage           1.72
//	updateInventory        1.64       |  createCategory       1.15
//	createPet              1.27       |  createOrder          1.09
//	updatePet              1.18       |  createMessage        1.13
//	replacePet             1.02       |  undo                 1.17
//	deletePet              1.67       |  reset                1.01
//	getPetPhoto            1.07       |  snapshot             0.99
//	listCategories, middle 1.44       |  restore              1.00
//	getCategory            1.87       |  fork                 0.97
//	updateCategory         1.17       |  new sandbox          1.07
//	replaceCategory        1.14       |
//	deleteCategory         1.34       |
//
// # Missed budgets
//
// Profiles of the service without connections show why:
//
//   - GET and list: the journal's entry takes 25 to 30 % of the time. Half of this is for copying
//     headers, in which keys must be redacted. For a list, redacting the addresses in the Link
//     header takes another 10 %. Allocations take 15 %. The rest is the middleware; no link takes
//     more than 5 %. getPet also writes four headers for its deprecation (8 %).
//   - POST: copying the paths of three trees and inserting the record takes 30 %. Collecting the
//     copies takes about 28 %. This is the cost of immutable states, which make reset, snapshot,
//     fork and undo possible in a microsecond.
//   - The journal on against off: the journal's share of a GET is the same as above. On a busy
//     machine, the noise is larger than the budget. In the same run, POST is faster with the
//     journal.
//   - 10,000 sandboxes: 216 MB are in use, 22 KB for each sandbox. The journal takes 6 KB of
//     the 22 KB, or 8 KB with a browser's headers, which each chunk of the journal stores once.
//     Undo and stored events take 8 KB, and records and trees take the rest. About 100 MB are
//     gaps between live objects, which Go cannot release. A heap of at least 192 MiB is therefore
//     collected when it has doubled, which saves 40 MB under load. A growth of 50 percent would
//     save another 40 MB, but cause more collector work in every write. A small heap may grow by 24
//     MiB, because collections of a heap of a few megabytes took a tenth of the time of a GET.
//   - Nothing but ids: an order of nine bytes of text becomes a record of a hundred bytes,
//     including its place in a tree. Memory is reserved by the number of records. --max-records
//     and --sandbox-memory limit the result.
//
// # Files
//
//	budget_test.go  compares requests with other servers and settings
//	start_test.go   measures start and memory, and compares worlds with states
//	held_test.go    measures memory and work without HTTP, and prints the table
//	growth_test.go  measures time by number of records, without connections
//	load_test.go    runs the clients and the servers
package budget
