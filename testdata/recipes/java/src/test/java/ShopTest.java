import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.example.petstore.FaultRule;
import com.example.petstore.FaultRule.Abort;
import com.example.petstore.FaultRule.When;
import com.example.petstore.Filter;
import com.example.petstore.JournalEntry;
import com.example.petstore.Lifecycle;
import com.example.petstore.Petstore;
import com.example.petstore.Sandbox;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the client does when the service is slow, broken or about to change: JUnit 5, one sandbox a test. */
@ExtendWith(Petstore.class)
class ShopTest {
  final List<String> warnings = new ArrayList<>();
  Shop shop;

  @BeforeEach
  void open(Sandbox pets) {
    shop = new Shop(pets.url, warnings::add);
  }

  @Test
  void aPetIsCreatedWhenTheFirstTwoAttemptsFail(Sandbox pets) throws Exception {
    pets.fault(FaultRule.on("createPet").times(2).status(503).header("Retry-After", "0"));
    assertEquals(new Shop.Pet(501, "Rex", 6, "available"), shop.addPet("Rex", 6));
    var attempts = pets.requests(Filter.of("createPet")).stream().map(JournalEntry::status).toList();
    assertEquals(List.of(503, 503, 201), attempts);
  }

  @Test
  void aPetIsCreatedOnceWhenTheAnswerIsLost(Sandbox pets) throws Exception {
    pets.fault(FaultRule.on("createPet").times(1).status(502).when(When.AFTER));
    var rex = shop.addPet("Rex-the-Only", 6);
    assertEquals(List.of(rex), shop.pets("name=Rex-the-Only"));
    assertEquals(2, pets.count(Filter.of("createPet")));
  }

  @Test
  void aConnectionIsReset(Sandbox pets) throws Exception {
    pets.fault(FaultRule.on("listPets").times(2).abort(Abort.RESET));
    assertEquals(1, shop.pets("id=1").size());
  }

  @Test
  void everyPageIsRead(Sandbox pets) throws Exception {
    var ids = shop.pets("").stream().map(Shop.Pet::id).toList();
    assertEquals(LongStream.rangeClosed(1, 500).boxed().toList(), ids);
    assertEquals(5, pets.count(Filter.of("listPets")));
  }

  @Test
  void itGivesUp(Sandbox pets) {
    pets.fault(FaultRule.on("createPet").status(502));
    assertThrows(IOException.class, () -> shop.addPet("Rex", 6));
    assertEquals(5, pets.count(Filter.of("createPet")));
  }

  @Test
  void theDayAfterTheSunset(Sandbox pets) throws Exception {
    var before = shop.pet(7);
    assertEquals(1, warnings.stream().filter(text -> text.endsWith("is removed on Tue, 31 Dec 2030 00:00:00 GMT")).count());
    pets.lifecycle("getPet", new Lifecycle().enforceSunset(true));
    pets.clock.set(Instant.parse("2031-01-01T00:00:00Z"));
    assertEquals(before, shop.pet(7));
    assertEquals(1, pets.count(Filter.of("getPet").status(410)));
  }

  @Test
  void backgroundRequest(Sandbox pets) {
    CompletableFuture.runAsync(() -> assertDoesNotThrow(() -> shop.order(7, 2)));
    pets.waitForRequests(1, Duration.ofMinutes(1), Filter.of("createOrder").status(201));
  }
}
