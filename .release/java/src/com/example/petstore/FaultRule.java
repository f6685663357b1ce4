package com.example.petstore;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A rule that makes matching requests slow, wrong or broken: {@code FaultRule.on("createPet").times(2).status(503)}. What is
 * null is left to the server, such as the id of a new rule.
 */
public record FaultRule(
    Long id, Long applied, Boolean off, Match match, Double probability, Long times, Delay delay, Integer status, String code,
    String message, Map<String, String> headers, Abort abort, When when) {

  /** The requests that a rule applies to. What is null matches all. */
  public record Match(String operationId, String method, String path, Map<String, String> headers) {}

  /** A delay in milliseconds: fixed, with jitter or not, or spread by a median and a 99th percentile. */
  public record Delay(Integer fixedMs, Integer jitterMs, Integer p50Ms, Integer p99Ms) {}

  /** How a connection is broken off. */
  public enum Abort { RESET, TRUNCATE, HANG }

  /** Whether the fault happens instead of the operation, or after it has run. */
  public enum When { BEFORE, AFTER }

  /** Applies to all requests. */
  public static final FaultRule ALL = new FaultRule(
      null, null, null, null, null, null, null, null, null, null, null, null, null);

  /** Applies to the requests of an operation, such as createPet. */
  public static FaultRule on(String operationId) {
    return ALL.match(new Match(operationId, null, null, null));
  }

  public FaultRule match(Match match) {
    return Json.with(this, "match", match);
  }

  /** Applies to this share of the requests, from 0 to 1. */
  public FaultRule probability(double share) {
    return Json.with(this, "probability", share);
  }

  /** Applies at most this number of times. */
  public FaultRule times(long times) {
    return Json.with(this, "times", times);
  }

  public FaultRule delay(Delay delay) {
    return Json.with(this, "delay", delay);
  }

  public FaultRule delay(Duration fixed) {
    return delay(new Delay(Math.toIntExact(fixed.toMillis()), null, null, null));
  }

  public FaultRule status(int status) {
    return Json.with(this, "status", status);
  }

  /** The code in the body of the response. */
  public FaultRule code(String code) {
    return Json.with(this, "code", code);
  }

  /** The message in the body of the response. */
  public FaultRule message(String message) {
    return Json.with(this, "message", message);
  }

  /** Adds a header of the response, such as Retry-After. */
  public FaultRule header(String name, String value) {
    var more = new HashMap<String, String>(headers == null ? Map.of() : headers);
    more.put(name, value);
    return Json.with(this, "headers", Map.copyOf(more));
  }

  public FaultRule abort(Abort abort) {
    return Json.with(this, "abort", abort);
  }

  public FaultRule when(When when) {
    return Json.with(this, "when", when);
  }
}
