package com.example.petstore;

/** An isolated copy of the service: data, ids, clock, faults and journal of its own. Closing it drops it. */
public final class Sandbox extends AnySandbox implements AutoCloseable {
  Sandbox(Server server, String name, String title) {
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
