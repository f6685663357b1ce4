package com.example.petstore;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Changes of the lifecycle of an operation: {@code new Lifecycle().enforceSunset(true)}. A field that is left out
 * stays unchanged, and null returns one to the document's value.
 */
public record Lifecycle(Map<String, Object> changes) {
  public Lifecycle() {
    this(Map.of());
  }

  public Lifecycle deprecated(Boolean deprecated) {
    return with("deprecated", deprecated);
  }

  /** The day or moment of the deprecation, such as 2026-01-01. */
  public Lifecycle deprecatedSince(String day) {
    return with("deprecatedSince", day);
  }

  /** The day or moment of the sunset, such as 2030-12-31; an empty one removes it. */
  public Lifecycle sunset(String day) {
    return with("sunset", day);
  }

  public Lifecycle successor(String path) {
    return with("successor", path);
  }

  /** Stable, beta or experimental, in lower case. */
  public Lifecycle stability(String stability) {
    return with("stability", stability);
  }

  public Lifecycle enforceSunset(Boolean enforced) {
    return with("enforceSunset", enforced);
  }

  /** The share of requests, from 0 to 1, that are answered as after the sunset. */
  public Lifecycle brownout(Double share) {
    return with("brownout", share);
  }

  private Lifecycle with(String name, Object value) {
    var more = new LinkedHashMap<>(changes);
    more.put(name, value);
    return new Lifecycle(Collections.unmodifiableMap(more));
  }
}
