// Soak runs a petstore and sends it requests for a long time, as many test suites do together:
// short-lived sandboxes, writes, faults, resets, snapshots, forks, imports, event streams and
// clocks. It fails if an answer is wrong, or if the server at rest holds more memory, goroutines
// or descriptors at the end than after the first minutes.
//
//	go run ./testdata/soak -for 30m
//
// It prints the server's metrics once a minute.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

const (
	clients = 16                   // the number of concurrent clients
	pause   = 2 * time.Millisecond // the pause of a client between two requests
	every   = time.Minute          // the time between two lines of output
)

func main() {
	log.SetFlags(0)
	length := flag.Duration("for", 30*time.Minute, "how long the load lasts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := soak(ctx, *length); err != nil {
		log.Fatal("soak: ", err)
	}
}

func soak(ctx context.Context, length time.Duration) error {
	p, err := start(ctx)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := load(ctx, p, min(length/10, every)); err != nil { // makes the server use everything once
		return err
	}
	before, err := p.settle(ctx)
	if err != nil {
		return err
	}
	fmt.Println("at rest after the first load:", before)
	if err := load(ctx, p, length); err != nil {
		return err
	}
	after, err := p.settle(ctx)
	if err != nil {
		return err
	}
	fmt.Println("at rest at the end:          ", after)
	return after.compare(before)
}

// load runs the clients for the given time, or until an answer is wrong. It prints the metrics.
func load(ctx context.Context, p *petstore, length time.Duration) error {
	loading, stop := context.WithTimeout(ctx, length)
	defer stop()
	wrong := make(chan error, clients)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			c := newClient(p, uint64(i))
			defer c.http.CloseIdleConnections()
			for loading.Err() == nil {
				if err := c.step(loading); err != nil && loading.Err() == nil {
					wrong <- err
					return
				}
				time.Sleep(pause)
			}
		})
	}
	defer all.Wait()
	defer stop()
	tick := time.NewTicker(every)
	defer tick.Stop()
	begin := time.Now()
	for {
		select {
		case err := <-wrong:
			return err
		case <-loading.Done():
			return ctx.Err()
		case <-tick.C:
			m, err := p.read(ctx)
			if err != nil {
				return err
			}
			fmt.Printf("%6s  %9d requests  %s\n", time.Since(begin).Round(time.Second), p.requests.Load(), m)
		}
	}
}
