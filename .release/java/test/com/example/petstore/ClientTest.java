package com.example.petstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the client. */
class ClientTest {
  /** A process that starts a server and waits. */
  static class Parent {
    public static void main(String[] args) throws Exception {
      System.out.println(PetstoreSandbox.start().url);
      System.in.read();
    }
  }

  @Test
  void theServerEndsWithAProcessThatIsKilled() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var parent = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Parent.class.getName()).start();
    var events = HttpRequest.newBuilder(URI.create(parent.inputReader().readLine() + "/events")).build();
    var stream = HttpClient.newHttpClient().send(events, BodyHandlers.ofInputStream());
    assertEquals(200, stream.statusCode());
    parent.destroyForcibly();
    assertTimeoutPreemptively(Duration.ofMinutes(1), stream.body()::readAllBytes); // which ends only when the server does
  }

  @Test
  void aServerDoesNotStart() {
    var failure = assertThrows(IllegalStateException.class, () -> PetstoreSandbox.start("--pets=-1"));
    assertTrue(failure.getMessage().contains("petstore --pets=-1 --addr=127.0.0.1:0 ended with status 2 before it was ready:\n--pets "), failure.getMessage());
    failure = assertThrows(IllegalStateException.class, () -> PetstoreSandbox.start("--tls"));
    assertTrue(failure.getMessage().contains("petstore --tls --addr=127.0.0.1:0 serves HTTPS, but start() takes HTTP only"), failure.getMessage());
  }

  /** A process that gives a server half a second to start. */
  static class Impatient {
    public static void main(String[] args) {
      PetstoreSandbox.start(Duration.ofMillis(500), "--pets=5");
    }
  }

  @Test
  void aProgramThatAnnouncesNothing(@TempDir Path directory) throws Exception {
    var program = directory.resolve("petstore");
    Files.writeString(program, "#!/bin/sh\necho PETSTORE_BINARY is ${PETSTORE_BINARY-unset} >&2\nsleep 60\n");
    program.toFile().setExecutable(true);
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Impatient.class.getName());
    builder.environment().put("PETSTORE_BINARY", program.toString());
    var process = builder.start();
    assertEquals("Exception in thread \"main\" java.lang.IllegalStateException: "
        + "petstore --pets=5 --addr=127.0.0.1:0 announced no address in 500 ms:", process.errorReader().readLine());
    assertEquals("PETSTORE_BINARY is unset", process.errorReader().readLine());
    assertEquals(1, process.waitFor());
  }

  @Test
  void theAdminApiIsBehindItsKey() {
    try (var store = PetstoreSandbox.start("--admin-key=secret"); var pets = store.sandbox("any text: ä / 100 %")) {
      pets.reset();
      var failure = assertThrows(PetstoreException.class, () -> PetstoreSandbox.connect(store.url, null));
      assertEquals(401, failure.status);
    }
  }

  @Test
  void othersDoNotReachTheAdminApi() {
    for (var flags : List.of(List.of("--addr=0.0.0.0:0"), List.of("--addr", ":0"), List.of("--public-url=http://shop.example/petstore"))) {
      try (var store = PetstoreSandbox.start(flags.toArray(String[]::new)); var pets = store.sandbox("ours")) {
        pets.reset();
        var failure = assertThrows(PetstoreException.class, () -> PetstoreSandbox.connect(store.url, "another"));
        assertEquals(401, failure.status);
        PetstoreSandbox.connect(store.url + "/", store.adminKey).sandbox("one").close();
      }
    }
    try (var store = PetstoreSandbox.start("--addr=localhost:0")) {
      assertNull(store.adminKey);
    }
  }

  @Test
  void argumentsThatCannotBe() {
    try (var store = PetstoreSandbox.start()) {
      assertThrows(IllegalArgumentException.class, () -> store.sandbox(null));
      assertThrows(IllegalArgumentException.class, () -> store.sandbox(""));
      for (var path : List.of("clock", "/../../pets", "/../adm")) {
        assertThrows(IllegalArgumentException.class, () -> store.admin("GET", path, null), path);
      }
      var failure = assertThrows(PetstoreException.class, () -> store.admin("PUT", "/clock", null));
      assertTrue(failure.getMessage().contains("the body is empty; send a JSON object"), failure.getMessage());
    }
    for (var address : Arrays.asList(null, "localhost:8080", "http://127.0.0.1:8080/sandboxes/ada")) {
      assertThrows(IllegalArgumentException.class, () -> PetstoreSandbox.connect(address, null), address);
    }
  }

  @Test
  void aRefusalSaysAllThatIsWrong() {
    try (var store = PetstoreSandbox.start()) {
      var failure = assertThrows(PetstoreException.class, () -> store.fault(FaultRule.ALL.status(900).probability(2)));
      assertTrue(failure.getMessage().startsWith("POST /admin/faults: "), failure.getMessage());
      assertTrue(failure.getMessage().contains("\n  /probability: ") && failure.getMessage().contains("\n  /status: "), failure.getMessage());
    }
  }

  @Test
  void aRuleComesBackAsItWas() {
    try (var store = PetstoreSandbox.start()) {
      var rule = FaultRule.ALL.match(new FaultRule.Match("createPet", "POST", "/pets", Map.of("X-Test", "\"ä\"")))
          .probability(0.5).times(2).delay(Duration.ofMillis(5)).status(503).code("busy").message("not \\ now,\n\tbut later").header("Retry-After", "1")
          .when(FaultRule.When.AFTER);
      var made = store.fault(rule);
      assertEquals(Json.with(Json.with(rule, "id", 1L), "applied", 0L), made);
      assertEquals(FaultRule.Abort.HANG, store.fault(FaultRule.ALL.abort(FaultRule.Abort.HANG)).abort());
      assertEquals(3, store.fault("{\"status\": 500}").id());
      store.reset(new Baseline().pets(3));
      assertEquals("3", String.valueOf(Json.at(Json.parse(store.admin("GET", "", null)), "counts", "pets")));
    }
  }

  @Test
  void aSandboxIsAsNewAndGoes() {
    try (var store = PetstoreSandbox.start()) {
      for (int i = 0; i < 2; i++) {
        try (var pets = store.sandbox("one")) {
          assertTrue(pets.har(Filter.ALL).contains("\"entries\":[]"), "a new sandbox has requests");
          pets.fault("{\"status\": 503}");
          pets.clearFaults();
          assertEquals("[]", pets.admin("GET", "/faults", null).strip());
          pets.admin("POST", "/data/pets", "{\"name\": \"Rex\", \"categoryId\": 1}");
          pets.admin("GET", "/data/pets/101", null);
        }
      }
      assertThrows(PetstoreException.class, () -> store.admin("GET", "/sandboxes/one", null));
    }
  }

  @Test
  void aSandboxThatIsGoneCanBeClosed() {
    try (var store = PetstoreSandbox.start()) {
      var pets = store.sandbox("one");
      pets.drop();
      pets.drop();
    }
  }

  @Test
  void aServerThatIsGoneIsNamedAsTheReason() {
    var store = PetstoreSandbox.start("--verbose");
    store.reset();
    store.stop();
    assertTrue(store.log().contains("operation=reset"), store.log());
    var failure = assertThrows(UncheckedIOException.class, () -> store.reset());
    assertTrue(failure.getMessage().contains("/admin/reset: the server ended with status 0:\n"), failure.getMessage());
  }

  @Test
  void theClock() {
    try (var store = PetstoreSandbox.start(); var pets = store.sandbox("clock")) {
      var day = Instant.parse("2031-01-01T00:00:00Z");
      pets.clock.freeze(day);
      pets.clock.advance(Duration.ofDays(2).plusMillis(500));
      assertEquals(day.plus(Duration.ofDays(2)).plusMillis(500), pets.clock.now());
      pets.clock.set(day);
      assertEquals(day, pets.clock.now());
      pets.clock.unfreeze();
      assertTrue(pets.clock.now().isAfter(day));
      pets.clock.freeze();
      assertTrue(pets.clock.read().frozen());
      assertEquals(pets.clock.now(), pets.clock.now());
      pets.clock.release();
      assertTrue(pets.clock.now().isBefore(day));
    }
  }

  @Test
  void aLifecycleIsChangedInPart() {
    try (var store = PetstoreSandbox.start(); var pets = store.sandbox("lifecycle")) {
      var document = pets.lifecycle("getPet", new Lifecycle().enforceSunset(true));
      pets.lifecycle("getPet", new Lifecycle().sunset("2028-08-08"));
      var both = pets.lifecycle("getPet", "{\"deprecated\": true}");
      assertEquals("2028-08-08", both.sunset());
      assertTrue(both.enforceSunset() && both.deprecated());
      assertEquals(document, pets.lifecycle("getPet", new Lifecycle().sunset(null)));
    }
  }

  @Test
  void waitingInVainSaysWhatCame() {
    try (var store = PetstoreSandbox.start(); var pets = store.sandbox("waiting")) {
      var failure = assertThrows(
          IllegalStateException.class, () -> pets.waitForRequests(2, Duration.ofMillis(100), Filter.ALL.status(201)));
      assertTrue(failure.getMessage().endsWith("but []"), failure.getMessage());
    }
  }

  @Test
  void theLastRequestsAreKept(@TempDir Path directory) throws Exception {
    try (var store = PetstoreSandbox.start("--journal=2000"); var pets = store.sandbox("busy")) {
      var archive = directory.resolve("busy.har");
      pets.keep(directory);
      assertTrue(Files.readString(archive).contains("\"entries\":[]"));
      var client = HttpClient.newHttpClient();
      var request = HttpRequest.newBuilder(URI.create(pets.url + "/categories/1")).build();
      for (int i = 0; i < 1001; i++) {
        client.send(request, BodyHandlers.discarding());
      }
      client.send(HttpRequest.newBuilder(URI.create(pets.url + "/pets/999")).build(), BodyHandlers.discarding());
      pets.keep(directory);
      var entries = (List<?>) Json.at(Json.parse(Files.readString(archive)), "log", "entries");
      assertEquals(1000, entries.size());
      assertEquals(new BigDecimal(404), Json.at(entries.get(999), "response", "status"));
      assertEquals(1002, pets.requests().size());
      assertEquals(List.of(404), pets.requests(Filter.of("getPet").limit(5)).stream().map(JournalEntry::status).toList());
    }
  }

  @Test
  void aWorldGoesElsewhere(@TempDir Path directory) throws Exception {
    try (var store = PetstoreSandbox.start(); var pets = store.sandbox("here"); var elsewhere = store.sandbox("elsewhere")) {
      pets.admin("DELETE", "/data/pets/1", null);
      pets.clock.freeze(Instant.parse("2031-01-01T00:00:00Z"));
      var kept = pets.keep(directory);
      assertTrue(Files.exists(kept.har()));
      elsewhere.importWorld(Files.readString(kept.world()));
      assertEquals(pets.world(true), elsewhere.world(true));
    }
  }
}
