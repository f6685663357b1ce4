package com.example.petstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** A server as its sandboxes use it. The process is null if it was started elsewhere. */
record Server(String url, String adminKey, ServerProcess process) {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();

  /** Makes a request to the admin API, and returns the body of its response. */
  String ask(String method, String path, String body) {
    var request = HttpRequest.newBuilder(URI.create(url + path));
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    request.header("Content-Type", "application/json"); // always, so that the error for a missing body says so
    if (adminKey != null) {
      request.header("Authorization", "Bearer " + adminKey);
    }
    try {
      var response = CLIENT.send(request.build(), BodyHandlers.ofString());
      if (response.statusCode() >= 400) {
        throw PetstoreException.of(method + " " + path, response.statusCode(), response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + url + path + (process == null ? "" : process.howItEnded()), e);
    } catch (InterruptedException e) {
      throw ServerProcess.interrupted(e);
    }
  }
}
