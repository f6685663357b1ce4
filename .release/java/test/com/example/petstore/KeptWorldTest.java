package com.example.petstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failing test leaves its world, with which its last request fails again on another server. */
class KeptWorldTest {
  @Test
  void theSameRequestFailsAgain(@TempDir Path directory) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var run = new ProcessBuilder(java, "-cp", absolute(System.getProperty("java.class.path")),
        "org.junit.platform.console.ConsoleLauncher", "--select-class", "com.example.petstore.FlakyOrders", "--disable-banner", "--disable-ansi-colors");
    var process = run.directory(directory.toFile()).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes());
    assertEquals(1, process.waitFor(), output);
    var world = onlyFile(directory.resolve("failed"), ".world.json");
    assertTrue(output.contains("world = `failed/" + world.getFileName() + "`"), output);
    assertTrue(output.contains("The world is kept in failed/" + world.getFileName()), output);
    var archive = onlyFile(directory.resolve("failed"), ".har");

    var journal = Json.readList(JournalEntry.class, Json.at(Json.parse(Files.readString(world)), "journal"));
    var requests = (List<?>) Json.at(Json.parse(Files.readString(archive)), "log", "entries");
    assertEquals(journal.stream().map(JournalEntry::draw).toList(),
        requests.stream().map(one -> ((BigDecimal) Json.at(one, "_draw")).longValue()).toList());
    var last = journal.get(journal.size() - 1);
    assertEquals(503, last.status());
    try (var elsewhere = PetstoreSandbox.start("--world=" + world)) {
      elsewhere.importWorld(Files.readString(world), last.draw());
      assertEquals(503, FlakyOrders.order(elsewhere.url, journal.size()));
    }
  }

  private static Path onlyFile(Path directory, String ending) throws IOException {
    try (var files = Files.newDirectoryStream(directory, "*" + ending)) {
      var found = files.iterator();
      var file = found.next();
      assertFalse(found.hasNext(), directory + " has more than one " + ending);
      return file;
    }
  }

  /** Returns the class path as it is from another directory. */
  private static String absolute(String path) {
    return Arrays.stream(path.split(File.pathSeparator)).map(part -> Path.of(part).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
