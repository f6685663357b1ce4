import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Petstore sandboxes for tests, with the JDK alone (17 or newer). Copy this file into your project.
 *
 * <pre>{@code
 * try (var store = PetstoreSandbox.start("--pets=500"); var pets = store.sandbox("checkout")) {
 *   pets.fault("""
 *       {"match": {"operationId": "createPet"}, "times": 2, "status": 503}""");
 *   checkout(pets.url);
 *   assertEquals(3, pets.count("operationId=createPet"));
 * }
 * }</pre>
 *
 * The server is the program petstore: the one that PETSTORE_BINARY names, otherwise the one in PATH. It ends when this
 * process does, even if it is killed. JSON goes in and out as text, for the JSON library of your project. Names of
 * fields are those of the admin API, which the server shows at /docs/. The clients for JavaScript and Python have the same
 * names in their spelling: wait_for_requests.
 */
public final class PetstoreSandbox {
  private PetstoreSandbox() {}

  /**
   * Starts a server on a free port, with these flags of petstore, such as {@code --pets=500}. Where others can reach it,
   * by {@code --addr} or {@code --public-url}, and there is no {@code --admin-key}, one is made. If it does not start, the
   * IllegalStateException has its reason, as it has after 30 s without an address. It serves HTTP only.
   */
  public static Store start(String... flags) {
    return start(Duration.ofSeconds(30), flags);
  }

  static Store start(Duration patience, String... flags) {
    var binary = System.getenv("PETSTORE_BINARY");
    var command = new ArrayList<>(List.of(binary == null ? "petstore" : binary, "--addr=127.0.0.1:0", "--exit-with-stdin"));
    command.addAll(List.of(flags));
    var key = adminKey(flags);
    try {
      var builder = new ProcessBuilder(command);
      builder.environment().remove("PETSTORE_BINARY"); // npm's launcher there could start itself again and again
      if (key != null) {
        builder.environment().put("PETSTORE_ADMIN_KEY", key);
      }
      var process = builder.start();
      var log = new Log(process);
      var announcement = announcement(process, patience);
      if (!announcement.startsWith("petstore listening on http://")) {
        process.getOutputStream().close();
        process.destroyForcibly().waitFor();
        log.join(1000); // a program that the process has started may hold the pipe open
        var said = announcement.contains(" on https://")
            ? "serves HTTPS, but start() takes HTTP only; leave out --tls, --tls-cert, PETSTORE_TLS and PETSTORE_TLS_CERT"
            : announcement;
        throw new IllegalStateException(String.join(" ", command) + " " + said + ":\n" + log.text().replaceFirst("^petstore: ", ""));
      }
      return new Store(new Server(announcement.replace("petstore listening on ", ""), key, process, log));
    } catch (IOException e) {
      throw new UncheckedIOException("put petstore into PATH, or its path into PETSTORE_BINARY", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Returns the announcement of a server, or what it did instead. */
  private static String announcement(Process process, Duration patience) throws InterruptedException {
    var said = new FutureTask<>(() -> {
      var line = process.inputReader().readLine();
      return line == null ? "ended with exit code " + process.waitFor()
          : line.startsWith("petstore listening on ") ? line
          : "said \"" + line + "\" instead of its address";
    });
    var reader = new Thread(said);
    reader.setDaemon(true);
    reader.start();
    try {
      return said.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return "announced no address in " + patience.toMillis() + " ms";
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
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
    for (int i = 0; i < flags.length; i++) {
      if (flags[i].startsWith(flag + "=")) {
        return flags[i].substring(flag.length() + 1);
      }
      if (flags[i].equals(flag) && i + 1 < flags.length) {
        return flags[i + 1];
      }
    }
    return otherwise;
  }

  /**
   * Returns a server that runs already, such as a container, once it has answered. Instead of null, the address is that of
   * PETSTORE_URL, and the key that of PETSTORE_ADMIN_KEY. stop() leaves that server alone.
   */
  public static Store connect(String url, String adminKey) {
    var address = url == null ? System.getenv("PETSTORE_URL") : url;
    if (address == null) {
      throw new IllegalArgumentException("connect() takes the address of a server, or null if PETSTORE_URL has it");
    }
    var key = adminKey == null ? System.getenv("PETSTORE_ADMIN_KEY") : adminKey;
    var store = new Store(new Server(address.replaceAll("/+$", ""), key, null, null));
    store.admin("GET", "", null);
    return store;
  }

  /** What every sandbox has: that of a test, and the default one, which is the Store itself. */
  public abstract static class AnySandbox {
    /** What the header X-Sandbox calls it. */
    public final String name;

    /** The text that it was named by. */
    public final String title;

    /** Its base address, without a slash at its end. */
    public final String url;

    public final Clock clock = new Clock(this);

    final Server server;

    private AnySandbox(Server server, String name, String title) {
      this.server = server;
      this.name = name;
      this.title = title;
      this.url = server.url + path(name);
    }

    private static String path(String name) {
      return name.equals("default") ? "" : "/sandboxes/" + name;
    }

    /** Calls the admin API in this sandbox: {@code admin("PUT", "/snapshots/before", null)}. */
    public String admin(String method, String path, String body) {
      return server.ask(method, path(name) + "/admin" + path, body);
    }

    /** Makes it as it was at first, or only parts of it, such as "data" and "faults". */
    public void reset(String... parts) {
      admin("POST", parts.length == 0 ? "/reset" : "/reset?only=" + String.join(",", parts), null);
    }

    /** Adds a fault rule, after those there are, and returns it with its id. */
    public String fault(String rule) {
      return admin("POST", "/faults", rule);
    }

    /** Removes all fault rules. */
    public void clearFaults() {
      admin("DELETE", "/faults", null);
    }

    /**
     * Changes when an operation is deprecated and removed, for example by <code>{"enforceSunset": true}</code>. What is left
     * out stays, and null returns a field to the value that the document gives it.
     */
    public String lifecycle(String operationId, String changes) {
      return admin("PATCH", "/operations/" + operationId, changes);
    }

    /** Returns the requests that match the filter, a query of listRequests such as status=5xx; the first thousand. */
    public String requests(String filter) {
      return admin("GET", "/requests?limit=1000&" + filter, null);
    }

    /** Returns how many requests match the filter. */
    public int count(String filter) {
      return Integer.parseInt(field("matched", admin("GET", "/requests?limit=1&" + filter, null)));
    }

    /** Returns what requests() does as soon as so many match, else fails after the timeout, of a minute at most. */
    public String waitForRequests(int count, Duration timeout, String filter) {
      var query = "/requests?limit=1&count=" + count + "&wait=" + timeout.toMillis() + "ms&" + filter;
      if (Integer.parseInt(field("matched", admin("GET", query, null))) < count) {
        throw new IllegalStateException("there were not " + count + " after " + timeout + ": " + requests(""));
      }
      return requests(filter);
    }

    /** Returns all that it holds, for importWorld or the flag --world. */
    public String world() {
      return admin("GET", "/world", null);
    }

    /** Replaces all that it holds. */
    public void importWorld(String world) {
      admin("PUT", "/world", world);
    }

    /** Does so, and the next request meets the chance that the one with this draw met. */
    public void importWorld(String world, long draw) {
      admin("PUT", "/world?draw=" + draw, world);
    }

    /** Returns the requests that match as an HTTP Archive, which the network panel of a browser opens; the first thousand. */
    public String har(String filter) {
      return admin("GET", "/requests?format=har&limit=1000&" + filter, null);
    }

    /** Writes the world (NAME.world.json) and the last thousand requests (NAME.har), and returns their paths. */
    public Kept keep(Path directory) {
      try {
        Files.createDirectories(directory);
        return new Kept(
            Files.writeString(directory.resolve(name + ".world.json"), world()),
            Files.writeString(directory.resolve(name + ".har"), har("since=" + sinceLastPage())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns the id after which there are only as many requests as a page can have. */
    private long sinceLastPage() {
      var newest = admin("GET", "/requests?order=desc&limit=1", null);
      return newest.contains("\"id\":") ? Math.max(0, Long.parseLong(field("id", newest)) - 1000) : 0;
    }
  }

  /** A server, and its default sandbox. Closing it stops it. */
  public static final class Store extends AnySandbox implements AutoCloseable {
    /** The key of its admin API, or null if that wants none. */
    public final String adminKey;

    private Store(Server server) {
      super(server, "default", "default");
      this.adminKey = server.adminKey;
    }

    /**
     * Returns the sandbox of the name, any text such as that of a test, as new. What the server does not take, more than 200
     * characters or line breaks, is shortened to what stays unique.
     */
    public Sandbox sandbox(String name) {
      if (name == null || name.isEmpty()) {
        throw new IllegalArgumentException("sandbox() takes a name, such as that of a test, not an empty one");
      }
      var title = title(name);
      var segment = URLEncoder.encode(title, StandardCharsets.UTF_8).replace("+", "%20");
      return new Sandbox(server, field("name", server.ask("PUT", "/admin/sandboxes/" + segment, "{\"fresh\": true}")), title);
    }

    /** Returns the last 64 KiB of what the server has written to standard error, if it was started here. */
    public String log() {
      return server.log == null ? "" : server.log.text();
    }

    /** Ends the server, if it was started here, when its requests in flight have been answered. */
    public void stop() {
      server.stop();
    }

    @Override
    public void close() {
      stop();
    }
  }

  /** An isolated copy of the service: data, ids, clock, faults and journal of its own. Closing it drops it. */
  public static final class Sandbox extends AnySandbox implements AutoCloseable {
    private Sandbox(Server server, String name, String title) {
      super(server, name, title);
    }

    /** Drops it with all that is in it. */
    public void drop() {
      try {
        server.ask("DELETE", "/admin/sandboxes/" + name, null);
      } catch (PetstoreException e) {
        if (e.status != 404) { // it is gone already
          throw e;
        }
      }
    }

    @Override
    public void close() {
      drop();
    }
  }

  /** The paths of the files that keep() has written. */
  public record Kept(Path world, Path har) {}

  /** The time in a sandbox. */
  public record Clock(AnySandbox sandbox) {
    /** Returns the time, whether it is frozen, and how far it is ahead of the machine's, as JSON. */
    public String read() {
      return sandbox.admin("GET", "/clock", null);
    }

    public Instant now() {
      return Instant.parse(field("now", read()));
    }

    /** Sets the time. It runs on unless it is frozen. */
    public void set(Instant time) {
      change("{\"now\": \"" + time + "\"}");
    }

    public void advance(Duration by) {
      change("{\"advance\": \"" + by.toMillis() + "ms\"}");
    }

    /** Stops it where it is. set() and advance() still move it. */
    public void freeze() {
      change("{\"frozen\": true}");
    }

    /** Stops it at this time. */
    public void freeze(Instant time) {
      change("{\"frozen\": true, \"now\": \"" + time + "\"}");
    }

    /** Lets it run on from where it is. */
    public void unfreeze() {
      change("{\"frozen\": false}");
    }

    /** Returns to the machine's time. */
    public void release() {
      sandbox.admin("DELETE", "/clock", null);
    }

    private void change(String changes) {
      sandbox.admin("PUT", "/clock", changes);
    }
  }

  /** An error of the admin API. The message is the request and the response, which says what to do. */
  public static final class PetstoreException extends RuntimeException {
    public final int status;

    private PetstoreException(String request, int status, String body) {
      super(request + ": " + body.strip());
      this.status = status;
    }
  }

  /** A server as its sandboxes use it. */
  private static final class Server {
    final String url;
    final String adminKey;
    final Log log;
    private final Process process;
    private final HttpClient client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();

    private Server(String url, String adminKey, Process process, Log log) {
      this.url = url;
      this.adminKey = adminKey;
      this.process = process;
      this.log = log;
    }

    void stop() {
      if (process == null) {
        return;
      }
      try {
        process.getOutputStream().close();
        process.waitFor();
        log.join();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    String ask(String method, String path, String body) {
      var request = HttpRequest.newBuilder(URI.create(url + path));
      request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
      request.header("Content-Type", "application/json"); // in any case, so that a missing body is told as one
      if (adminKey != null) {
        request.header("Authorization", "Bearer " + adminKey);
      }
      try {
        var response = client.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() >= 400) {
          throw new PetstoreException(method + " " + path, response.statusCode(), response.body());
        }
        return response.body();
      } catch (IOException e) {
        throw new UncheckedIOException(method + " " + url + path + howItEnded(), e);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    /** A process that is killed loses its connections before anybody is told of its end. */
    private String howItEnded() {
      try {
        return process != null && process.waitFor(1, TimeUnit.SECONDS) ? ": the server ended with exit code " + process.exitValue() + ":\n" + log.text() : "";
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  /** Reads what a server writes to standard error, and keeps the end of it. */
  private static final class Log extends Thread {
    private static final int KEPT = 64 * 1024;
    private final Process process;
    private final StringBuilder text = new StringBuilder(); // guarded by itself

    private Log(Process process) {
      this.process = process;
      setDaemon(true);
      start();
    }

    @Override
    public void run() {
      process.errorReader().lines().forEach(line -> {
        synchronized (text) {
          text.append(line).append('\n').delete(0, Math.max(0, text.length() - KEPT));
        }
      });
    }

    private String text() {
      synchronized (text) {
        return text.toString().strip();
      }
    }
  }

  /**
   * Returns the text itself if the server takes it as the name of a sandbox, else what it takes, and as unique: without
   * control characters, cut off, and with twelve digits of its SHA-256.
   */
  private static String title(String name) {
    var written = Pattern.compile("\\p{Cs}").matcher(name) // half of a surrogate pair has no UTF-8
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

  /** Returns a field whose value has no quotes in it. Quotes in texts are escaped, so a text never looks like a field. */
  private static String field(String name, String json) {
    var found = Pattern.compile('"' + name + "\":\"?([^\",}]+)").matcher(json);
    if (!found.find()) {
      throw new IllegalStateException("there is no field " + name + " in " + json);
    }
    return found.group(1);
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException(e);
  }
}
