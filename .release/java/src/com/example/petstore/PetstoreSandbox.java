package com.example.petstore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Starts servers, and connects to those that run already. */
public final class PetstoreSandbox {
  private PetstoreSandbox() {}

  /**
   * Starts a server on a free port, with these flags of petstore, such as {@code --pets=500}. Where others can reach it,
   * by {@code --addr} or {@code --public-url}, and there is no {@code --admin-key}, one is made. It serves HTTP only, and
   * ends when this process does, even if that is killed.
   *
   * <p>The program is the one that PETSTORE_BINARY names, else the one in PATH, else the one in the jar of the platform, else
   * the one beside this jar. If there is none, the IllegalStateException says where it was looked for. If it does not
   * start, that has its reason, as it has after 30 s without an address.
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
   * Returns a server that runs already, such as a container, once it has answered. Instead of null, the address is that of
   * PETSTORE_URL, and the key that of PETSTORE_ADMIN_KEY. stop() leaves that server alone.
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

  /** Returns the key of a server with these flags. Where others reach it, it would make one and only log it. */
  private static String adminKey(String... flags) {
    var key = value("--admin-key", System.getenv("PETSTORE_ADMIN_KEY"), flags);
    var here = value("--addr", "127.0.0.1:0", flags).matches("(localhost|127(\\.\\d+){3}|\\[::1\\]):.*");
    var isPublic = value("--public-url", System.getenv("PETSTORE_PUBLIC_URL"), flags) != null;
    return key == null && (isPublic || !here) ? UUID.randomUUID().toString() : key;
  }

  /** Returns the value of a flag, as {@code --flag=value} or in two, or else the other one. */
  private static String value(String flag, String otherwise, String... flags) {
    var at = Arrays.asList(flags).indexOf(flag);
    if (at >= 0 && at + 1 < flags.length) {
      return flags[at + 1];
    }
    return Arrays.stream(flags).filter(one -> one.startsWith(flag + "=")).findFirst()
        .map(one -> one.substring(flag.length() + 1)).orElse(otherwise);
  }
}
