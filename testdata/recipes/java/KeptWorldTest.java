import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that fails leaves its world, by which its last request fails again on another server. */
class KeptWorldTest {
  @Test
  void theSameRequestFailsAgain(@TempDir Path directory) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var run = new ProcessBuilder(java, "-cp", absolute(System.getProperty("java.class.path")),
        "org.junit.platform.console.ConsoleLauncher", "--select-class", "FlakyOrders", "--disable-banner", "--disable-ansi-colors");
    var process = run.directory(directory.toFile()).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes());
    assertEquals(1, process.waitFor(), output);
    var world = onlyFile(directory.resolve("failed"), ".world.json");
    assertTrue(output.contains("world = `failed/" + world.getFileName() + "`"), output);
    var archive = onlyFile(directory.resolve("failed"), ".har");

    var journal = new ObjectMapper().readTree(world.toFile()).get("journal");
    var requests = new ObjectMapper().readTree(archive.toFile()).get("log").get("entries");
    assertEquals(requests.findValuesAsText("_draw"), journal.findValuesAsText("draw"));
    var last = journal.get(journal.size() - 1);
    assertEquals(503, last.get("status").asInt());
    try (var elsewhere = PetstoreSandbox.start("--world=" + world)) {
      elsewhere.importWorld(Files.readString(world), last.get("draw").asLong());
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
