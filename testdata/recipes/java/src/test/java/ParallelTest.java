import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

import com.example.petstore.Petstore;
import com.example.petstore.Sandbox;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** 200 tests for 32 threads: four classes whose tests have the same display names, each with a sandbox of its own. */
@ExtendWith(Petstore.class)
interface ParallelTest {
  @RepeatedTest(50)
  default void theFirstPetThatIsAdded(Sandbox pets) throws Exception {
    assertEquals(501, new Shop(pets.url, warning -> {}).addPet("Rex", 6).id());
    assertEquals(1, pets.requests().size());
  }
}

class CatsTest implements ParallelTest {}

class DogsTest implements ParallelTest {}

class FishTest implements ParallelTest {}

@TestInstance(PER_CLASS)
class BirdsTest implements ParallelTest {}
