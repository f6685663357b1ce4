import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What PetstoreSandbox promises. */
class PetstoreSandboxTest {
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
    assertTimeoutPreemptively(Duration.ofMinutes(1), stream.body()::readAllBytes); // which has no end before the server's
  }

  @Test
  void aServerDoesNotStart() {
    var failure = assertThrows(IllegalStateException.class, () -> PetstoreSandbox.start("--pets=-1"));
    assertTrue(failure.getMessage().contains("exit code 2"), failure.getMessage());
  }

  @Test
  void theAdminApiIsBehindItsKey() {
    try (var store = PetstoreSandbox.start("--admin-key=secret"); var pets = store.sandbox("any text: ä / 100 %")) {
      pets.reset();
      var stranger = PetstoreSandbox.at(store.url, null);
      var failure = assertThrows(PetstoreSandbox.PetstoreException.class, () -> stranger.sandbox("one"));
      assertEquals(401, failure.status);
    }
  }

  @Test
  void aSandboxIsAsNewAndGoes() {
    try (var store = PetstoreSandbox.start()) {
      for (int i = 0; i < 2; i++) {
        try (var pets = store.sandbox("one")) {
          pets.admin("POST", "/data/pets", "{\"name\": \"Rex\", \"categoryId\": 1}");
          pets.admin("GET", "/data/pets/101", null);
        }
      }
      assertThrows(PetstoreSandbox.PetstoreException.class, () -> store.defaultSandbox().admin("GET", "/sandboxes/one", null));
    }
  }

  @Test
  void theClock() {
    try (var store = PetstoreSandbox.start(); var pets = store.sandbox("clock")) {
      var day = Instant.parse("2031-01-01T00:00:00Z");
      pets.clock.freeze(day);
      pets.clock.advance(Duration.ofDays(2).plusMillis(500));
      assertEquals(day.plus(Duration.ofDays(2)).plusMillis(500), pets.clock.now());
      pets.clock.set(day);
      assertTrue(pets.clock.now().isAfter(day));
      pets.clock.release();
      assertTrue(pets.clock.now().isBefore(day));
    }
  }

  @Test
  void waitingInVainSaysWhatCame() {
    try (var store = PetstoreSandbox.start(); var pets = store.sandbox("waiting")) {
      var failure = assertThrows(
          IllegalStateException.class, () -> pets.waitForRequests(2, Duration.ofMillis(100), "status=201"));
      assertTrue(failure.getMessage().contains("\"requests\":[]"), failure.getMessage());
    }
  }

  @Test
  void aWorldGoesElsewhere(@TempDir Path directory) throws Exception {
    try (var store = PetstoreSandbox.start(); var pets = store.sandbox("here"); var elsewhere = store.sandbox("elsewhere")) {
      pets.admin("DELETE", "/data/pets/1", null);
      pets.clock.freeze(Instant.parse("2031-01-01T00:00:00Z"));
      var file = pets.keep(directory);
      assertTrue(Files.exists(directory.resolve("here.har")));
      elsewhere.importWorld(Files.readString(file));
      assertEquals(pets.world(), elsewhere.world());
    }
  }
}
