// Soak loads a petstore of its own for a long time, as many test suites at once would:
// sandboxes that come and go, writes, faults, resets, snapshots, forks, imports, event
// streams, clocks. It wants the memory in use, the goroutines and the descriptors to be at
// the end what they were near the beginning, and every answer to be one that could be.
//
//	go run ./testdata/soak -for 30m
//
// It works on loopback, with as many clients as -clients says, each at most as fast as
// -pause lets it be. A line a minute says how it goes.
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

func main() {
	log.SetFlags(0)
	length := flag.Duration("for", 30*time.Minute, "how long the load lasts")
	clients := flag.Int("clients", 16, "clients at once")
	pause := flag.Duration("pause", 2*time.Millisecond, "what each client waits between two requests")
	every := flag.Duration("every", time.Minute, "how often it says how it goes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := soak(ctx, *length, *every, *pause, *clients); err != nil {
		log.Fatal("soak: ", err)
	}
}

// soak returns what was not as it has to be.
func soak(ctx context.Context, length, every, pause time.Duration, clients int) error {
	p, err := start(ctx)
	if err != nil {
		return err
	}
	defer p.kill()
	if err := load(ctx, p, min(length/10, every), every, pause, clients); err != nil { // until all has been used once
		return err
	}
	before, err := p.settle(ctx)
	if err != nil {
		return err
	}
	fmt.Println("at rest after a while:", before)
	if err := load(ctx, p, length, every, pause, clients); err != nil {
		return err
	}
	after, err := p.settle(ctx)
	if err != nil {
		return err
	}
	after.goroutines = p.goroutines()
	fresh, err := start(ctx)
	if err != nil {
		return err
	}
	defer fresh.kill()
	if _, err := fresh.settle(ctx); err != nil {
		return err
	}
	before.goroutines = fresh.goroutines()
	fmt.Println("at rest at the end:   ", after)
	fmt.Println("goroutines of a new one:", before.goroutines)
	return after.compare(before)
}

// load runs the clients, and says how it goes, until the time is over or an answer comes
// that cannot be.
func load(ctx context.Context, p *petstore, length, every, pause time.Duration, clients int) error {
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
			r, err := p.read(ctx)
			if err != nil {
				return err
			}
			fmt.Printf("%6s  %9d requests  %s\n", time.Since(begin).Round(time.Second), p.requests.Load(), r)
		}
	}
}
