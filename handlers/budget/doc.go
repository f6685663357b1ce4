// Package budget measures what the service may cost, and prints each figure beside its
// budget as a table of Markdown:
//
//	go test -run '^$' -bench . -benchtime 200000x -timeout 1h ./handlers/budget
//
// Most benchmarks compare the service with a bare net/http server which writes the same
// bytes: over real loopback connections, each server in a process of its own, both in
// turns within one run, so that the ratios mean something on a shared and noisy machine.
// How long one takes is set by -benchtime, which is the number of requests; that of start,
// memory, work and growth is fixed. An absolute figure is that of one machine at one time.
//
// # Figures
//
//	rps/bare       the share of the bare server's requests per second (more is better)
//	cpu/bare       the multiple of its processor time (less is better)
//	rps/off        rps/bare against the service itself without its journal
//	cpu/off        cpu/bare likewise
//	rps/none       rps/bare against the service itself without a webhook; cpu/none likewise
//	time/bare      the multiple of its time from exec to the first 200
//	MB-idle        resident memory after the first answer
//	MB-after       resident memory after a million requests, connections included
//	MB-under-load  resident memory before it has been given back; MB: when it has
//	kB-beyond      what a client that reads nothing costs beyond the answer that it is owed
//	x-bytes        the most memory that an import takes, as a multiple of its bytes
//	export/state   the multiple of the time of a state's export that a world's takes; import/state likewise
//	µs-1eN         an operation's time with 10^N pets; the median
//	time-1eN/1e3   the multiple of an operation's time with a thousand pets that it takes with 10^N
//
// # Measured
//
// On two cores, on 2026-11-22, in one run of 20,000 requests each with nothing beside it:
//
//	                               measured                      budget            missed
//	GET one pet                    0.68 rps, 1.49 cpu            ≥ 0.80, ≤ 1.35    both
//	GET one category               0.68 rps, 1.56 cpu            ≥ 0.80, ≤ 1.35    both
//	list of 20                     0.68 rps                      ≥ 0.75            rps
//	POST, 100 and 1,000 pets       0.57, 0.53 rps                ≥ 0.70            rps
//	POST, 1,000,000 pets           0.53 rps                      ≥ 0.70            rps
//	POST, growth to 1,000,000      1.27 x                        ≤ 1.5
//	journal on against off, GET    0.87 rps                      ≥ 0.95            rps (0.87 to 0.97 in shorter runs)
//	journal on against off, POST   1.02 rps                      ≥ 0.95            (0.90 in a shorter run)
//	POST with a webhook for others 0.94 rps, 1.05 cpu of one without
//	POST that is delivered         1.15 rps, 1.09 cpu of one without
//	start                          2.6 x bare (5.7 ms)           ≤ 2               yes
//	start with 1,000,000 pets      1.1 s                         ≤ 2 s
//	resident, idle                 17.8 MB                       ≤ 20
//	after 1,000,000 requests       46 MB                         ≤ 48
//	1,000,000 pets                 244 MB                        ≤ 350
//	10,000 sandboxes x 20 writes   352 MB                        ≤ 400             (435 under load)
//	  with a browser's headers     380 MB                        ≤ 400             (479 under load)
//	a client that reads nothing    0 kB beyond its answer        ≤ 64
//	import of an export            4.2 x its bytes               ≤ 6
//	import of nothing but faults   3.2 x                         ≤ 6
//	import of nothing but ids      14 x                          ≤ 6               yes
//	a world out, 100,000 pets      1.10 x a state                ≤ 1.5             (1.23 with 1,000)
//	a world in, 100,000 pets       1.26 x                        ≤ 1.5             (1.09 with 1,000)
//	reset, snapshot                0.46, 0.19 µs                 ≤ 2
//	fork, new sandbox              0.87, 0.76 µs                 ≤ 2
//	a pet at 1,000,000             111 bytes                     ≤ 250
//	an untouched sandbox           1,524 bytes                   ≤ 2,048
//	binary, as it is released      20.6 MB (28.6 with symbols)   ≤ 25              with symbols
//
// Growth, as the multiple of the time with 1,000 pets, categories, orders and messages each
// (budget: 3, createPet 1.5; none missed):
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
// # What is missed, and why
//
// By profiles of the service without connections:
//
//   - GET and list: of the time, 25 to 30 % goes to the journal's entry, half of it to
//     copying headers, in which keys have to be blacked out (of a list also in the
//     addresses of its Link header, 10 %); 15 % to allocations. The rest is the chain: 23
//     links, none over 5 %. getPet also says that it is deprecated in four headers (8 %).
//   - POST: copying the paths of three trees and putting the record into them is 30 %, and the
//     collector takes about 28 % for what was copied. It is the price of states that nobody changes, and
//     so of reset, snapshot, fork and undo in a microsecond.
//   - The journal on against off: its share of a GET is as above. On a busy machine the
//     noise is larger than the budget: the same run has POST faster with it.
//   - Start: the packages' own initialisation, gofakeit's above all, is about a third of it.
//   - Binary: releases, go run and this benchmark leave the symbols out; plain go build has them
//     in, and those and the debug information are 7.9 MB. The library of the Model Context
//     Protocol is 2.1 MB, 3.1 with symbols. What it brings along is not for this server: OAuth, a
//     second JSON and a client.
//   - 10,000 sandboxes: 216 MB are in use, 22 KB a sandbox, of which 6 KB are the journal of its
//     requests with their answers (8 KB with a browser's headers, which each piece of it has once), 8 KB undo and kept events, the rest records and trees. About
//     100 MB are holes that garbage left between what stays, which Go cannot give back. A heap
//     of over 128 MiB is therefore collected when it has doubled, which saves 40 MB under load.
//     With 50 percent there would be 40 MB fewer, for more work of the collector in every write.
//     A small heap may grow by 24 MiB: collections of a few megabytes were a tenth of a GET.
//   - Nothing but ids: an order of nine bytes of text is a record of a hundred, with its
//     place in a tree. Memory for it is promised by the number of its records, and what it
//     makes is bounded by --max-records and --sandbox-memory.
//
// # Files
//
//	budget_test.go  requests against a bare server, and against the service without a journal
//	start_test.go   start and memory
//	held_test.go    what pets, sandboxes, imports and slow clients take; work without HTTP
//	worlds_test.go  worlds against states
//	growth_test.go  time by the number of records, without connections
//	table_test.go   figures, budgets and the table of both
//	load_test.go    the clients
//	server_test.go  the servers
package budget
