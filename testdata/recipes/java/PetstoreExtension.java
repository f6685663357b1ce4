import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.TestAbortedException;

/**
 * Gives each test of JUnit 5 a sandbox, on one server for all classes and threads. Copy this file into your project too.
 *
 * <pre>{@code
 * @ExtendWith(PetstoreExtension.class)
 * class CheckoutTest {
 *   @Test
 *   void aPetIsSold(PetstoreSandbox.Sandbox pets) {
 * }</pre>
 *
 * The test and its {@code @BeforeEach} and {@code @AfterEach} methods get the same sandbox. If the test fails, its world and
 * its requests are kept in the directory "failed", and a report entry has their paths.
 */
public final class PetstoreExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(PetstoreExtension.class);

  /** Closes a value with the context whose store has it: the sandbox after its test, the server after the last test. */
  private record Resource(AutoCloseable value) implements CloseableResource {
    @Override
    public void close() throws Exception {
      value.close();
    }
  }

  private static PetstoreSandbox.Store server(ExtensionContext test) {
    var store = test.getRoot().getStore(NAMESPACE);
    var server = store.getOrComputeIfAbsent("server", key -> new Resource(PetstoreSandbox.start("--pets=500")), Resource.class);
    return (PetstoreSandbox.Store) server.value();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == PetstoreSandbox.Sandbox.class && test.getTestMethod().isPresent();
  }

  /** Returns the sandbox of the test. Its name comes from the unique id: classes and repetitions share display names. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    var store = test.getStore(NAMESPACE);
    return store.getOrComputeIfAbsent(test.getUniqueId(), id -> new Resource(server(test).sandbox(id)), Resource.class).value();
  }

  @Override
  public void afterEach(ExtensionContext test) {
    var sandbox = test.getStore(NAMESPACE).get(test.getUniqueId(), Resource.class);
    var failure = test.getExecutionException().filter(reason -> !(reason instanceof TestAbortedException));
    if (sandbox != null && failure.isPresent()) {
      var kept = ((PetstoreSandbox.Sandbox) sandbox.value()).keep(Path.of("failed"));
      test.publishReportEntry(Map.of("world", kept.world().toString(), "har", kept.har().toString()));
    }
  }
}
