package com.example.petstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The time in a sandbox. */
public final class Clock {
  private final AnySandbox sandbox;

  Clock(AnySandbox sandbox) {
    this.sandbox = sandbox;
  }

  /** Returns the time, whether it is frozen, and how far it is ahead of the machine's. */
  public ClockReading read() {
    return Json.read(ClockReading.class, sandbox.admin("GET", "/clock", null));
  }

  public Instant now() {
    return read().now();
  }

  /** Sets the time. It runs on unless it is frozen. */
  public ClockReading set(Instant time) {
    return change(Map.of("now", time));
  }

  /** Moves the clock forward; a negative duration moves it back. */
  public ClockReading advance(Duration by) {
    return change(Map.of("advance", by.toMillis() + "ms"));
  }

  /** Stops the clock at its current time. set() and advance() still move it. */
  public ClockReading freeze() {
    return change(Map.of("frozen", true));
  }

  /** Stops the clock at this time. */
  public ClockReading freeze(Instant time) {
    return change(Map.of("frozen", true, "now", time));
  }

  /** Lets a frozen clock continue from its current time. */
  public ClockReading unfreeze() {
    return change(Map.of("frozen", false));
  }

  /** Returns the clock to the machine's time. */
  public void release() {
    sandbox.admin("DELETE", "/clock", null);
  }

  private ClockReading change(Map<String, Object> changes) {
    return Json.read(ClockReading.class, sandbox.admin("PUT", "/clock", Json.write(changes)));
  }
}
