package com.example.petstore;

import java.time.Instant;
import java.util.Map;

/**
 * A request to the service and its response. What a request does not have is null, such as the operation of an unknown path, the
 * query or the fault rule that was applied. Bodies are text as far as the journal keeps them.
 */
public record JournalEntry(
    long id, Instant time, Instant receivedAt, String requestId, Long draw, String operationId, String method, String scheme,
    String host, String path, String query, String protocol, Map<String, String> headers, boolean headersTruncated, String body, boolean bodyTruncated,
    long bodySize, int status, double durationMs, Long fault, boolean changed, boolean undone,
    String client, String clientName, Response response) {

  /** The response. */
  public record Response(
      int status, Map<String, String> headers, boolean headersTruncated, String body, boolean bodyTruncated, long bodySize) {}
}
