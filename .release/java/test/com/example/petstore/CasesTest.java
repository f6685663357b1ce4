package com.example.petstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the clients for JavaScript, Python, Java and Go share: the cases of testdata/clients, which CI copies here. */
@ExtendWith(Petstore.class)
class CasesTest {
  static final Object SHARED = shared();

  static Object shared() {
    try {
      return Json.parse(Files.readString(Path.of("cases.json")));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static String message(String name) {
    return (String) Json.at(SHARED, "messages", name);
  }

  /** Makes the calls of a case. */
  static final class Steps {
    private final Store store;
    private final Path directory;
    private Sandbox pets;
    private String world;

    Steps(Store store, String name, Path directory) {
      this.store = store;
      this.directory = directory;
      this.pets = store.sandbox(name);
    }

    /** Makes a call, and returns its result as {@link Json#parse} does. */
    Object call(String name, Map<String, Object> with) throws Exception {
      var now = with.containsKey("now") ? Instant.parse(text(with, "now")) : null;
      return switch (name) {
        case "sandbox" -> pets = store.sandbox(text(with, "name"));
        case "fetch" -> fetch(with);
        case "fault" -> result(pets.fault(Json.write(with)));
        case "clearFaults" -> nothing(pets::clearFaults);
        case "lifecycle" -> result(pets.lifecycle(text(with, "operationId"), Json.write(without(with, "operationId"))));
        case "requests" -> result(pets.requests(filter(with)));
        case "har" -> Json.parse(pets.har(filter(with)));
        case "waitForRequests" -> result(pets.waitForRequests(
            number(with, "count"), Duration.ofSeconds(number(with, "timeoutSeconds")), filter(without(with, "count", "timeoutSeconds"))));
        case "reset" -> nothing(() -> reset(with));
        case "clock.set" -> pets.clock.set(now);
        case "clock.freeze" -> pets.clock.freeze(now);
        case "clock.advance" -> pets.clock.advance(Duration.ofSeconds(number(with, "seconds")));
        case "clock.unfreeze" -> pets.clock.unfreeze();
        case "clock.release" -> nothing(pets.clock::release);
        case "clock.now" -> pets.clock.now().toString();
        case "clock.read" -> result(pets.clock.read());
        case "world" -> world = pets.world();
        case "importWorld" -> nothing(() -> pets.importWorld(world, number(with, "draw")));
        case "keep" -> keep();
        case "admin" -> admin(with);
        case "drop" -> nothing(pets::drop);
        default -> throw new IllegalArgumentException(name);
      };
    }

    private Object fetch(Map<String, Object> with) throws Exception {
      var body = with.get("body");
      var request = HttpRequest.newBuilder(URI.create(pets.url + text(with, "path"))).header("Content-Type", "application/json")
          .method(text(with, "method"), body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
      var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
      var headers = new TreeMap<String, Object>(String.CASE_INSENSITIVE_ORDER);
      response.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
      return Map.of("status", new BigDecimal(response.statusCode()), "headers", headers, "body", Json.parse(response.body()));
    }

    private void reset(Map<String, Object> with) {
      if (with.containsKey("only")) {
        pets.reset(((List<?>) with.get("only")).toArray(String[]::new));
      } else if (with.isEmpty()) {
        pets.reset();
      } else {
        pets.reset(Json.read(Baseline.class, Json.write(with)));
      }
    }

    private Object keep() {
      var kept = pets.keep(directory);
      return List.of(kept.world().getFileName().toString(), kept.har().getFileName().toString());
    }

    private Object admin(Map<String, Object> with) {
      var body = with.get("body");
      return Json.parse(pets.admin(text(with, "method"), text(with, "path"), body == null ? null : Json.write(body)));
    }

    private static Filter filter(Map<String, Object> with) {
      var texts = new LinkedHashMap<>(with);
      texts.computeIfPresent("status", (name, status) -> status.toString());
      return Json.read(Filter.class, Json.write(texts));
    }

    private static Object result(Object records) {
      return Json.parse(Json.write(records));
    }

    private static Object nothing(Runnable call) {
      call.run();
      return null;
    }

    private static String text(Map<String, Object> with, String name) {
      return (String) with.get(name);
    }

    private static int number(Map<String, Object> with, String name) {
      return ((BigDecimal) with.get(name)).intValueExact();
    }

    private static Map<String, Object> without(Map<String, Object> with, String... names) {
      var rest = new LinkedHashMap<>(with);
      rest.keySet().removeAll(List.of(names));
      return rest;
    }
  }

  /** Checks that a value has at least the contents of another. */
  static void wantIn(Object found, Object wanted, String step) {
    if (wanted instanceof Map<?, ?> fields) {
      fields.forEach((name, value) -> wantIn(((Map<?, ?>) found).get(name), value, step));
    } else if (wanted instanceof List<?> list) {
      assertEquals(list.size(), ((List<?>) found).size(), step);
      for (int i = 0; i < list.size(); i++) {
        wantIn(((List<?>) found).get(i), list.get(i), step);
      }
    } else if (wanted instanceof BigDecimal number) {
      assertEquals(number.doubleValue(), ((BigDecimal) found).doubleValue(), step);
    } else {
      assertEquals(wanted, found, step);
    }
  }

  @SuppressWarnings("unchecked")
  static void take(Map<String, Object> step, Steps steps) throws Exception {
    var with = (Map<String, Object>) step.getOrDefault("with", Map.of());
    var shown = Json.write(step);
    if (!step.containsKey("refuses")) {
      var made = steps.call((String) step.get("call"), with);
      if (step.containsKey("gives")) {
        wantIn(made, step.get("gives"), shown);
      }
      return;
    }
    var failure = assertThrows(PetstoreException.class, () -> steps.call((String) step.get("call"), with), shown);
    var refuses = (Map<String, Object>) step.get("refuses");
    assertEquals(refuses.get("status") + " " + refuses.get("code"), failure.status + " " + failure.code);
    var fields = failure.details.stream().map(PetstoreException.Detail::field).sorted().toList();
    assertEquals(refuses.getOrDefault("fields", List.of()), fields);
  }

  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> casesOfAllClients(Store store, @TempDir Path directory) {
    return ((List<Map<String, Object>>) Json.at(SHARED, "cases")).stream().map(one -> DynamicTest.dynamicTest((String) one.get("name"), () -> {
      var steps = new Steps(store, (String) one.get("name"), directory);
      for (var step : (List<Map<String, Object>>) one.get("steps")) {
        take(step, steps);
      }
      steps.pets.drop();
    }));
  }

  @Test
  void anyTextNamesASandbox(Store store) {
    for (var names : (List<?>) Json.at(SHARED, "names")) {
      try (var pets = store.sandbox((String) Json.at(names, "text"))) {
        assertEquals(List.of(Json.at(names, "title"), Json.at(names, "name")), List.of(pets.title, pets.name));
      }
    }
  }

  @Test
  void aTestNamesItsSandbox(Sandbox pets) {
    assertEquals("CasesTest aTestNamesItsSandbox(Sandbox)", pets.title);
    assertEquals("shop.ShopTest Nested paid(int, Sandbox) #3", Petstore.title("[engine:junit-jupiter]/[class:shop.ShopTest]/[nested-class:Nested]"
        + "/[test-template:paid(int, com.example.petstore.Sandbox)]/[test-template-invocation:#3]"));
  }

  /** A process that starts a server with the arguments as flags, and prints why it did not start. */
  static class Starts {
    public static void main(String[] flags) {
      try {
        PetstoreSandbox.start(flags).stop();
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  static String start(Map<String, String> environment, String... flags) throws Exception {
    var command = Stream.concat(
        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", System.getProperty("java.class.path"),
            Starts.class.getName()),
        Stream.of(flags));
    var builder = new ProcessBuilder(command.toList());
    builder.environment().putAll(environment);
    return builder.start().inputReader().lines().collect(Collectors.joining("\n"));
  }

  @Test
  void whatIsSaidOfABinaryThatCannotBeRun(@TempDir Path directory) throws Exception {
    var variable = (String) Json.at(SHARED, "defaults", "binary");
    assertEquals(message("notThere").replace("{binary}", "/nowhere/petstore"), start(Map.of(variable, "/nowhere/petstore")));
    var text = Files.writeString(directory.resolve("petstore"), "text").toString();
    assertEquals(message("notExecutable").replace("{binary}", text), start(Map.of(variable, text)));
  }

  @Test
  void whatIsSaidOfAServerThatDoesNotStart() throws Exception {
    var wanted = message("ended").replace("{arguments}", "--pest=5 --addr=127.0.0.1:0").replace("{status}", "2").replace("{log}", "");
    var said = start(Map.of(), "--pest=5");
    assertTrue(said.startsWith(wanted), said);
  }
}
