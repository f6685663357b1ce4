import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** 200 tests for 32 threads: four classes whose tests have the same display names, each with a sandbox of its own. */
@ExtendWith(PetstoreExtension.class)
interface ParallelTest {
  @RepeatedTest(50)
  default void theFirstPetThatIsAdded(PetstoreSandbox.Sandbox pets) throws Exception {
    assertEquals(501, new Shop(pets.url, warning -> {}).addPet("Rex", 6).id());
    assertEquals(1, pets.count(""));
  }
}

class CatsTest implements ParallelTest {}

class DogsTest implements ParallelTest {}

class FishTest implements ParallelTest {}

class BirdsTest implements ParallelTest {}
