package com.example.petstore;

/** An isolated copy of the service: data, ids, clock, faults and journal of its own. close() drops it. */
public final class Sandbox extends AnySandbox implements AutoCloseable {
  Sandbox(Server server, String name, String title) {
    super(server, name, title);
  }

  /** Drops the sandbox with everything in it. */
  public void drop() {
    try {
      server.ask("DELETE", "/admin/sandboxes/" + name, null);
    } catch (PetstoreException e) {
      if (e.status != 404) { // it has already been dropped
        throw e;
      }
    }
  }

  @Override
  public void close() {
    drop();
  }
}
