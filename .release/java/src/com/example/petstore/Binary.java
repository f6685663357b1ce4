package com.example.petstore;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;

/** Finds the program petstore. Nothing is downloaded. */
final class Binary {
  private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");
  private static final String NAME = WINDOWS ? "petstore.exe" : "petstore";

  private Binary() {}

  /** Returns the program's path. If there is none, the exception says where it looked. */
  static Path find() {
    var named = System.getenv("PETSTORE_BINARY");
    if (named != null && !named.isEmpty()) {
      return runnable(named);
    }
    var inPath = inPath(NAME);
    if (inPath != null) {
      return inPath;
    }
    if (Unpacked.FILE != null) {
      return Unpacked.FILE;
    }
    var beside = directory().resolve(NAME);
    if (Files.isExecutable(beside)) {
      return beside;
    }
    throw new IllegalStateException("there is no petstore binary: PETSTORE_BINARY is not set, there is no petstore in PATH ("
        + System.getenv("PATH") + "), none in a jar for " + platform() + ", and no " + beside
        + "; add that jar, or set PETSTORE_BINARY to the path of a petstore binary");
  }

  private static Path runnable(String named) {
    var found = named.contains(File.separator) ? Path.of(named) : inPath(named);
    if (found == null || !Files.exists(found)) {
      throw new IllegalStateException(
          "cannot run " + named + ": it is not there; set PETSTORE_BINARY to the path of a petstore binary, or unset it");
    }
    if (!Files.isExecutable(found)) {
      throw new IllegalStateException(
          "cannot run " + named + ": it is not executable; run chmod +x " + named + ", or install petstore-sandbox again");
    }
    return found;
  }

  private static Path inPath(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)).map(part -> Path.of(part, name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file)).findFirst().orElse(null);
  }

  /**
   * The program of the jar for this platform, as a file that is deleted with the process, or null. It is written once, before
   * anything is started: a system does not run a file that any process has open for writing, not even one that just starts.
   */
  private static final class Unpacked {
    static final Path FILE = unpack("/com/example/petstore/" + platform() + "/" + NAME);

    private static Path unpack(String resource) {
      try (var packed = Binary.class.getResourceAsStream(resource)) {
        if (packed == null) {
          return null;
        }
        var file = Files.createTempFile("petstore-", WINDOWS ? ".exe" : "");
        file.toFile().deleteOnExit();
        Files.copy(packed, file, StandardCopyOption.REPLACE_EXISTING);
        file.toFile().setExecutable(true);
        return file;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot unpack " + resource, e);
      }
    }
  }

  /** Returns this machine's system and architecture, by the names of the release's archives, such as linux-amd64. */
  static String platform() {
    var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    var arch = System.getProperty("os.arch");
    return (WINDOWS ? "windows" : system.startsWith("mac") ? "darwin" : system) + "-"
        + (arch.equals("x86_64") ? "amd64" : arch.equals("aarch64") ? "arm64" : arch);
  }

  /** Returns the directory of the jar that has this class. */
  private static Path directory() {
    try {
      return Path.of(Binary.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
