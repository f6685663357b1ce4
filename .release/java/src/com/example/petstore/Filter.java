package com.example.petstore;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which requests of the journal to return: {@code Filter.of("createPet").status(503)}. Null matches everything.
 *
 * @param path the path without the sandbox prefix; {@code *} stands for one segment, {@code **} at the end for the rest
 * @param status a status, a class of them such as 5xx, or 0 for requests whose connection was broken off
 * @param since the id of a request: only those after it
 * @param limit the most requests to return, the oldest of those that match
 */
public record Filter(String operationId, String method, String path, String status, Long since, Integer limit) {
  /** Matches all requests. */
  public static final Filter ALL = new Filter(null, null, null, null, null, null);

  /** Matches the requests of an operation, such as createPet. */
  public static Filter of(String operationId) {
    return Json.with(ALL, "operationId", operationId);
  }

  public Filter method(String method) {
    return Json.with(this, "method", method);
  }

  public Filter path(String path) {
    return Json.with(this, "path", path);
  }

  public Filter status(int status) {
    return status(String.valueOf(status));
  }

  public Filter status(String status) {
    return Json.with(this, "status", status);
  }

  public Filter since(long id) {
    return Json.with(this, "since", id);
  }

  public Filter limit(int limit) {
    return Json.with(this, "limit", limit);
  }

  /** Returns it as a query with more parameters. */
  String query(Map<String, Object> more) {
    var parameters = new LinkedHashMap<>(Json.fields(this));
    parameters.putAll(more);
    return parameters.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(String.valueOf(one.getValue()), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&", "?", ""));
  }
}
