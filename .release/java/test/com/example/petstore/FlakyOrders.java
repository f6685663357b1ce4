package com.example.petstore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fails now and then, since it does not repeat what failed. {@link KeptWorldTest} runs it. */
@ExtendWith(Petstore.class)
class FlakyOrders {
  @Test
  void twentyOrders(Sandbox pets) throws Exception {
    pets.fault(FaultRule.on("createOrder").probability(0.3).status(503));
    for (int pet = 1; pet <= 20; pet++) {
      assertEquals(201, order(pets.url, pet));
    }
  }

  /** Returns the status with which an order is answered. */
  static int order(String url, int pet) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url + "/store/orders"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{\"petId\": " + pet + "}"));
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding()).statusCode();
  }
}
