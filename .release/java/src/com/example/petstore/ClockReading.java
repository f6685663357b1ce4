package com.example.petstore;

import java.time.Instant;

/** The time in a sandbox, whether it is frozen, and how far it is ahead of the machine's. */
public record ClockReading(Instant now, boolean frozen, double offsetSeconds) {}
