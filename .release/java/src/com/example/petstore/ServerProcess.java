package com.example.petstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A running petstore. It ends with this process, because its standard input is a pipe that no other process holds. */
final class ServerProcess {
  private static final String ANNOUNCES = "petstore listening on ";
  private static final int KEPT_LOG = 64 * 1024;

  private final Process process;
  private final Thread reader = new Thread(this::readLog);
  private final StringBuilder log = new StringBuilder(); // guarded by itself

  private ServerProcess(Process process) {
    this.process = process;
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the program, and returns the server once it has announced its address. */
  static Server start(Path binary, List<String> arguments, String adminKey, Duration patience) {
    var command = new ArrayList<>(List.of(binary.toString()));
    command.addAll(arguments);
    command.add("--exit-with-stdin");
    try {
      var builder = new ProcessBuilder(command);
      builder.environment().remove("PETSTORE_BINARY"); // npm's launcher there could start itself again and again
      if (adminKey != null) {
        builder.environment().put("PETSTORE_ADMIN_KEY", adminKey);
      }
      var started = new ServerProcess(builder.start());
      var announcement = started.announcement(patience);
      if (announcement.startsWith(ANNOUNCES + "http://")) {
        return new Server(announcement.substring(ANNOUNCES.length()), adminKey, started);
      }
      started.process.getOutputStream().close();
      started.process.toHandle().destroyForcibly(); // Process.destroyForcibly would also close the log, even unread
      started.process.waitFor();
      started.awaitLog();
      var said = announcement.startsWith(ANNOUNCES)
          ? "serves HTTPS, but start() takes HTTP only; leave out --tls, --tls-cert, PETSTORE_TLS and PETSTORE_TLS_CERT"
          : announcement;
      throw new IllegalStateException(
          "petstore " + String.join(" ", arguments) + " " + said + ":\n" + started.log().replaceFirst("^petstore: ", ""));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + binary, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Returns the line with the server's address, or a description of what the program did instead. */
  private String announcement(Duration patience) throws InterruptedException {
    var said = new FutureTask<>(() -> {
      var line = process.inputReader().readLine();
      return line == null ? "ended with status " + process.waitFor() + " before it was ready"
          : line.startsWith(ANNOUNCES) ? line
          : "said \"" + line + "\" instead of its address";
    });
    var waiting = new Thread(said);
    waiting.setDaemon(true);
    waiting.start();
    try {
      return said.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return "announced no address in " + patience.toMillis() + " ms";
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void readLog() {
    process.errorReader().lines().forEach(line -> {
      synchronized (log) {
        log.append(line).append('\n').delete(0, Math.max(0, log.length() - KEPT_LOG));
      }
    });
  }

  /** Waits for the log's end, but not for long: a program that the process has started may hold the pipe open. */
  private void awaitLog() throws InterruptedException {
    reader.join(1000);
  }

  String log() {
    synchronized (log) {
      return log.toString().strip();
    }
  }

  void stop() {
    try {
      process.getOutputStream().close();
      process.waitFor();
      reader.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Says how the process ended, or "" if it still runs. The connections of a killed process break before its end is reported. */
  String howItEnded() {
    try {
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        return "";
      }
      awaitLog();
      return ": the server ended with status " + process.exitValue() + ":\n" + log();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException(e);
  }
}
