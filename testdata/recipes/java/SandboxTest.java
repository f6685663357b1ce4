import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests with a sandbox each, on one server for the class. */
abstract class SandboxTest {
  static PetstoreSandbox store;
  PetstoreSandbox.Sandbox pets;

  @BeforeAll static void start() { store = PetstoreSandbox.start("--pets=500"); }
  @AfterAll static void stop() { store.close(); }
  @BeforeEach void make(TestInfo test) { pets = store.sandbox(getClass().getName() + " " + test.getDisplayName()); }
  @AfterEach void drop() { pets.close(); }

  /** A test that fails leaves its sandbox and its requests in the directory "failed". */
  @RegisterExtension AfterTestExecutionCallback keep =
      test -> test.getExecutionException().ifPresent(failure -> pets.keep(Path.of("failed")));
}
