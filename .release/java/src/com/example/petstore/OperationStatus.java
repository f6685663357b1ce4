package com.example.petstore;

/** An operation with its lifecycle and the number of its calls. What is not announced, such as a sunset, is null. */
public record OperationStatus(
    String operationId, String method, String path, String tag, long calls, boolean changed, boolean deprecated,
    String deprecatedSince, String sunset, String successor, String stability, boolean enforceSunset, double brownout) {}
