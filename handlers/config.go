package handlers

import "example.com/petstore/handlers/config"

// Config configures a server. The zero Config is valid; see [config.Config].
type Config = config.Config

// Latency is a range of delays in a [Config].
type Latency = config.Latency
