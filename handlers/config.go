package handlers

import "example.com/petstore/handlers/config"

// Config configures a server. The zero Config works; it equals the program without flags,
// but has no Extras.
type Config = config.Config

// Latency is a range of delays, in a [Config].
type Latency = config.Latency
