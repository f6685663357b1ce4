package com.example.petstore;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** A server, and its default sandbox. close() stops the server. */
public final class Store extends AnySandbox implements AutoCloseable {
  /** The key of the server's admin API, or null if it requires none. */
  public final String adminKey;

  Store(Server server) {
    super(server, "default", "default");
    this.adminKey = server.adminKey();
  }

  /** A sandbox as the server describes it. */
  record Made(String name, String title) {}

  /**
   * Creates a sandbox with this name, or makes an existing one like new, and returns it. The name may be any text, such as
   * the name of a test. A text that the server does not accept, such as one with more than 200 characters or with line
   * breaks, is shortened to a unique one.
   */
  public Sandbox sandbox(String name) {
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("sandbox() takes a name, such as that of a test, not an empty one");
    }
    var segment = URLEncoder.encode(title(name), StandardCharsets.UTF_8).replace("+", "%20");
    var made = Json.read(Made.class, server.ask("PUT", "/admin/sandboxes/" + segment, "{\"fresh\": true}"));
    return new Sandbox(server, made.name, made.title);
  }

  /** Returns the last 64 KiB of what the server has written to standard error, if it was started here. */
  public String log() {
    return server.process() == null ? "" : server.process().log();
  }

  /** Ends the server, if it was started here, after it has answered the requests in flight. */
  public void stop() {
    if (server.process() != null) {
      server.process().stop();
    }
  }

  @Override
  public void close() {
    stop();
  }

  /**
   * Returns the text itself if the server accepts it as the name of a sandbox. Otherwise returns a unique name: the text
   * without control characters, shortened, and with twelve digits of its SHA-256.
   */
  private static String title(String name) {
    var written = Pattern.compile("\\p{Cs}").matcher(name) // half of a surrogate pair has no form in UTF-8
        .replaceAll(half -> "\\\\u" + Integer.toHexString(half.group().charAt(0)));
    var readable = written.replaceAll("\\p{Cc}+", " ");
    var length = readable.codePointCount(0, readable.length());
    if (readable.equals(name) && length <= 200 && !List.of("*", ".", "..").contains(name)) {
      return name;
    }
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(written.getBytes(StandardCharsets.UTF_8));
      var start = readable.substring(0, readable.offsetByCodePoints(0, Math.min(length, 187)));
      return start + " " + HexFormat.of().formatHex(hash, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
