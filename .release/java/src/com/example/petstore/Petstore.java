package com.example.petstore;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.TestAbortedException;

/**
 * Gives each test of JUnit 5 a sandbox, on one server for all classes and threads.
 *
 * <pre>{@code
 * @ExtendWith(Petstore.class)
 * class CheckoutTest {
 *   @Test
 *   void aPetIsSold(Sandbox pets) {
 * }</pre>
 *
 * The test and its {@code @BeforeEach} and {@code @AfterEach} methods get the same sandbox; a parameter of type
 * {@link com.example.petstore.Store} is the server. Without flags, that is the one that PETSTORE_URL names, if it is set. Flags
 * come from the configuration parameter petstore.flags, or from {@link #with}.
 *
 * <p>If the test fails, its world and its requests are kept in the directory "failed", or that of the configuration parameter
 * petstore.keep. The failure and a report entry have their paths.
 */
public final class Petstore implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(Petstore.class);
  private static final Pattern SEGMENT = Pattern.compile("\\[([^:\\]]+):((?:[^\\[\\]]|\\[\\])*)\\]");

  private final List<String> flags;

  /** For {@code @ExtendWith}. */
  public Petstore() {
    this(List.of());
  }

  private Petstore(List<String> flags) {
    this.flags = flags;
  }

  /** For a class whose server has flags: {@code @RegisterExtension static final Petstore petstore = Petstore.with("--pets=500")}. */
  public static Petstore with(String... flags) {
    return new Petstore(List.of(flags));
  }

  /** Closes a value together with the context that stores it: the sandbox after its test, the server after the last test. */
  private record Resource(AutoCloseable value) implements CloseableResource {
    @Override
    public void close() throws Exception {
      value.close();
    }
  }

  /** Says in the trace of a failure where the world is. */
  private static final class WorldKept extends Exception {
    private static final long serialVersionUID = 1;

    private WorldKept(Path world) {
      super("The world is kept in " + world, null, false, false);
    }
  }

  private com.example.petstore.Store server(ExtensionContext test) {
    var configured = test.getConfigurationParameter("petstore.flags").map(text -> List.of(text.strip().split("\\s+")));
    var chosen = flags.isEmpty() ? configured.orElse(flags) : flags;
    var store = test.getRoot().getStore(NAMESPACE);
    return (com.example.petstore.Store) store.getOrComputeIfAbsent(chosen, any -> new Resource(open(chosen)), Resource.class).value();
  }

  private static com.example.petstore.Store open(List<String> flags) {
    return flags.isEmpty() && System.getenv("PETSTORE_URL") != null
        ? PetstoreSandbox.connect(null, null)
        : PetstoreSandbox.start(flags.toArray(String[]::new));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    var type = parameter.getParameter().getType();
    return type == com.example.petstore.Store.class || type == Sandbox.class && test.getTestMethod().isPresent();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    if (parameter.getParameter().getType() == com.example.petstore.Store.class) {
      return server(test);
    }
    var store = test.getStore(NAMESPACE);
    var id = test.getUniqueId();
    return store.getOrComputeIfAbsent(id, any -> new Resource(server(test).sandbox(title(id))), Resource.class).value();
  }

  /** Returns the class, the method and the invocation of a test: classes and repetitions share display names. */
  static String title(String uniqueId) {
    return SEGMENT.matcher(uniqueId).results().filter(segment -> !segment.group(1).equals("engine"))
        .map(segment -> segment.group(2).replace("com.example.petstore.", "")).collect(Collectors.joining(" "));
  }

  @Override
  public void afterEach(ExtensionContext test) {
    var sandbox = test.getStore(NAMESPACE).get(test.getUniqueId(), Resource.class);
    var failure = test.getExecutionException().filter(reason -> !(reason instanceof TestAbortedException));
    if (sandbox != null && failure.isPresent()) {
      var kept = ((Sandbox) sandbox.value()).keep(Path.of(test.getConfigurationParameter("petstore.keep").orElse("failed")));
      failure.get().addSuppressed(new WorldKept(kept.world()));
      test.publishReportEntry(Map.of("world", kept.world().toString(), "har", kept.har().toString()));
    }
  }
}
