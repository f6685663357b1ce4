package com.example.petstore;

import java.util.List;
import java.util.stream.Collectors;

/** An error of the admin API. The message says what to do; code and details are as in the response. */
public final class PetstoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The HTTP status. */
  public final int status;

  /** The code, such as validation_failed; "unknown" if the response was not a petstore's. */
  public final String code;

  /** All invalid fields, if there are any. */
  public final transient List<Detail> details;

  /** An invalid field of a request, by its JSON Pointer or the name of its parameter. */
  public record Detail(String field, String message) {}

  /** An error as the server sends it. */
  record Sent(String code, String message, int status, List<Detail> details) {}

  private PetstoreException(String message, int status, String code, List<Detail> details) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  static PetstoreException of(String request, int status, String body) {
    Sent sent;
    try {
      sent = Json.read(Sent.class, body);
    } catch (IllegalArgumentException e) {
      sent = new Sent("unknown", "the answer was not a petstore's: " + status + " " + body, status, null);
    }
    var details = sent.details == null ? List.<Detail>of() : sent.details;
    var message = request + ": " + sent.message
        + (status == 401 ? "; give it to connect() as the key, or set PETSTORE_ADMIN_KEY" : "")
        + (details.size() < 2 ? "" // the message names the first
            : details.stream().map(detail -> "\n  " + detail.field + ": " + detail.message).collect(Collectors.joining()));
    return new PetstoreException(message, status, sent.code, details);
  }
}
