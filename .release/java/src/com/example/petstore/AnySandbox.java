package com.example.petstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The methods of every sandbox: a test's, and the default one, which is the Store itself. */
public abstract sealed class AnySandbox permits Sandbox, Store {
  /** The number of requests that the server lists at once. */
  private static final int LONGEST_PAGE = 1000;

  /** Up to this number of records, keep() includes fake data, so that other versions can read it. */
  private static final int MAX_WRITTEN_OUT = 10_000;

  /** The sandbox's name, as the header X-Sandbox takes it. */
  public final String name;

  /** The text from which the name was made. */
  public final String title;

  /** The sandbox's base address, without a trailing slash. */
  public final String url;

  public final Clock clock = new Clock(this);

  final Server server;
  private final String path;

  AnySandbox(Server server, String name, String title) {
    this.server = server;
    this.name = name;
    this.title = title;
    this.path = name.equals("default") ? "" : "/sandboxes/" + name;
    this.url = server.url() + path;
  }

  /** Calls the admin API in this sandbox: {@code admin("PUT", "/snapshots/before", null)}. Bodies are JSON text. */
  public String admin(String method, String path, String body) {
    var whole = this.path + "/admin" + path;
    if (!path.matches("([/?].*)?") || !URI.create(url + "/admin" + path).normalize().toString().startsWith(url + "/admin")) {
      throw new IllegalArgumentException(
          "admin() takes a path below /admin that begins with a slash, such as /snapshots/full, not " + path);
    }
    return server.ask(method, whole, body);
  }

  /** Resets the sandbox to its initial state, or only parts of it, such as "data" and "faults". */
  public void reset(String... parts) {
    admin("POST", parts.length == 0 ? "/reset" : "/reset?only=" + String.join(",", parts), null);
  }

  /** Resets the sandbox, with other fake data. */
  public void reset(Baseline baseline) {
    admin("POST", "/reset", Json.write(baseline));
  }

  /** Adds a fault rule after the existing ones, and returns it with its id. */
  public FaultRule fault(FaultRule rule) {
    return fault(Json.write(rule));
  }

  /** Adds a fault rule, given as JSON. */
  public FaultRule fault(String rule) {
    return Json.read(FaultRule.class, admin("POST", "/faults", rule));
  }

  /** Removes all fault rules. */
  public void clearFaults() {
    admin("DELETE", "/faults", null);
  }

  /** Changes when an operation is deprecated and removed: {@code lifecycle("getPet", new Lifecycle().enforceSunset(true))}. */
  public OperationStatus lifecycle(String operationId, Lifecycle changes) {
    return lifecycle(operationId, Json.write(changes.changes()));
  }

  /** Changes the lifecycle of an operation by changes given as JSON. */
  public OperationStatus lifecycle(String operationId, String changes) {
    return Json.read(OperationStatus.class, admin("PATCH", "/operations/" + operationId, changes));
  }

  /** Returns all requests so far, oldest first. */
  public List<JournalEntry> requests() {
    return requests(Filter.ALL);
  }

  /** Returns the requests that match, oldest first. */
  public List<JournalEntry> requests(Filter filter) {
    var found = new ArrayList<JournalEntry>();
    var left = filter.limit() == null ? Integer.MAX_VALUE : filter.limit();
    while (left > 0) {
      var page = page(filter, Map.of("limit", Math.min(left, LONGEST_PAGE)));
      found.addAll(page.requests);
      left -= page.requests.size();
      if (page.requests.size() == page.matched) {
        break;
      }
      filter = filter.since(found.get(found.size() - 1).id());
    }
    return found;
  }

  /** Returns how many requests match the filter. */
  public int count(Filter filter) {
    return Math.toIntExact(page(filter, Map.of("limit", 1)).matched);
  }

  /** Waits until a request matches, then returns what requests() does. Fails after five seconds. */
  public List<JournalEntry> waitForRequests(Filter filter) {
    return waitForRequests(1, Duration.ofSeconds(5), filter);
  }

  /** Waits until count requests match, then returns what requests() does. Fails after the timeout, at most a minute. */
  public List<JournalEntry> waitForRequests(int count, Duration timeout, Filter filter) {
    if (page(filter, Map.of("limit", 1, "count", count, "wait", timeout.toMillis() + "ms")).matched < count) {
      var came = requests().stream().map(one -> one.method() + " " + one.path() + " " + one.status()).toList();
      throw new IllegalStateException("there were not " + count + " requests for " + filter + " after " + timeout + ", but " + came);
    }
    return requests(filter);
  }

  /** Returns everything in the sandbox as JSON, for importWorld or the flag --world. */
  public String world() {
    return admin("GET", "/world", null);
  }

  /** Returns everything in the sandbox as JSON. With data, fake data is included, so that other versions can read it. */
  public String world(boolean data) {
    return admin("GET", "/world?data=" + data, null);
  }

  /** Replaces everything in the sandbox. */
  public void importWorld(String world) {
    admin("PUT", "/world", world);
  }

  /** Replaces everything in the sandbox. The next request gets the same random faults as the one with this draw. */
  public void importWorld(String world, long draw) {
    admin("PUT", "/world?draw=" + draw, world);
  }

  /** Returns the first thousand requests that match as an HTTP Archive, which the network panel of a browser can open. */
  public String har(Filter filter) {
    return admin("GET", "/requests" + (filter.limit() == null ? filter.limit(LONGEST_PAGE) : filter).query(Map.of("format", "har")), null);
  }

  /** Writes the world (NAME.world.json) and the last thousand requests (NAME.har), and returns their paths. */
  public Kept keep(Path directory) {
    var counts = (Map<?, ?>) Json.at(Json.parse(admin("GET", "", null)), "counts");
    var records = counts.values().stream().mapToLong(count -> ((BigDecimal) count).longValue()).sum();
    var newest = page(Filter.ALL, Map.of("limit", 1, "order", "desc")).requests;
    var since = newest.isEmpty() ? 0 : Math.max(0, newest.get(0).id() - LONGEST_PAGE);
    try {
      Files.createDirectories(directory);
      return new Kept(
          Files.writeString(directory.resolve(name + ".world.json"), world(records <= MAX_WRITTEN_OUT)),
          Files.writeString(directory.resolve(name + ".har"), har(Filter.ALL.since(since))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A page of the list of requests. */
  record Page(List<JournalEntry> requests, long matched) {}

  private Page page(Filter filter, Map<String, Object> more) {
    return Json.read(Page.class, admin("GET", "/requests" + filter.query(more), null));
  }
}
