package com.example.petstore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Starts servers, and connects to running ones. */
public final class PetstoreSandbox {
  private PetstoreSandbox() {}

  /**
   * Starts a server on a free port, with these flags of petstore, such as {@code --pets=500}. If other machines can
   * reach it, by {@code --addr} or {@code --public-url}, and there is no {@code --admin-key}, start() generates one. The server
   * serves HTTP only, and ends when this process does, even if that is killed.
   *
   * <p>The program is the one that PETSTORE_BINARY names, else the one in PATH, else the one in the jar of the platform, else
   * the one beside this jar. If there is none, the IllegalStateException says where start() looked. If the
   * program does not start, or announces no address in 30 s, the exception has its output.
   */
  public static Store start(String... flags) {
    return start(Duration.ofSeconds(30), flags);
  }

  static Store start(Duration patience, String... flags) {
    var arguments = new ArrayList<>(List.of(flags));
    if (value("--addr", null, flags) == null) {
      arguments.add("--addr=127.0.0.1:0");
    }
    return new Store(ServerProcess.start(Binary.find(), arguments, adminKey(flags), patience));
  }

  /**
   * Connects to a running server, such as a container, and returns it once it has responded. If the address is null, it is
   * that of PETSTORE_URL; if the key is null, it is that of PETSTORE_ADMIN_KEY. stop() does not end that server.
   */
  public static Store connect(String url, String adminKey) {
    var address = url == null ? System.getenv("PETSTORE_URL") : url;
    if (address == null || !address.matches("https?://.*") || address.matches(".*/sandboxes/[^/]*/?")) {
      throw new IllegalArgumentException(
          "connect() takes the address of a server, such as http://127.0.0.1:8080, or null if PETSTORE_URL has it, not " + address);
    }
    var key = adminKey == null ? System.getenv("PETSTORE_ADMIN_KEY") : adminKey;
    var store = new Store(new Server(address.replaceAll("/+$", ""), key, null));
    store.admin("GET", "", null);
    return store;
  }

  /** Returns the key of a server with these flags. A server that others can reach would generate a key and only log it. */
  private static String adminKey(String... flags) {
    var key = value("--admin-key", System.getenv("PETSTORE_ADMIN_KEY"), flags);
    var here = value("--addr", "127.0.0.1:0", flags).matches("(localhost|127(\\.\\d+){3}|\\[::1\\]):.*");
    var isPublic = value("--public-url", System.getenv("PETSTORE_PUBLIC_URL"), flags) != null;
    return key == null && (isPublic || !here) ? UUID.randomUUID().toString() : key;
  }

  /** Returns the value of a flag, from {@code --flag=value} or from two arguments, or otherwise if there is none. */
  private static String value(String flag, String otherwise, String... flags) {
    var at = Arrays.asList(flags).indexOf(flag);
    if (at >= 0 && at + 1 < flags.length) {
      return flags[at + 1];
    }
    return Arrays.stream(flags).filter(one -> one.startsWith(flag + "=")).findFirst()
        .map(one -> one.substring(flag.length() + 1)).orElse(otherwise);
  }
}
