import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A client of the pet store as an application has one, with java.net.http and Jackson. */
class Shop {
  record Pet(long id, String name, long categoryId, String status) {}

  private static final int ATTEMPTS = 5;
  private static final Pattern LINK = Pattern.compile("<([^>]*)>; rel=\"([^\"]*)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final String url;
  private final Consumer<String> warnings;

  /** Uses the store at the address. It tells warnings which operations will be removed. */
  Shop(String url, Consumer<String> warnings) {
    this.url = url;
    this.warnings = warnings;
  }

  /** Returns all pets that match the query, page by page. */
  List<Pet> pets(String query) throws IOException, InterruptedException {
    var all = new ArrayList<Pet>();
    var next = Optional.of(URI.create(url + "/pets?limit=100&" + query));
    while (next.isPresent()) {
      var page = send(HttpRequest.newBuilder(next.get()));
      all.addAll(List.of(json.readValue(expect(200, page), Pet[].class)));
      next = link(page, "next");
    }
    return all;
  }

  /** Returns a pet, if there is one. */
  Optional<Pet> pet(long id) throws IOException, InterruptedException {
    var response = send(HttpRequest.newBuilder(URI.create(url + "/pets/" + id)));
    if (response.statusCode() == 410) {
      response = send(HttpRequest.newBuilder(link(response, "successor-version").orElseThrow()));
    }
    if (response.statusCode() == 404) {
      return Optional.empty();
    }
    JsonNode found = json.readTree(expect(200, response));
    if (found.isArray()) {
      found = found.path(0);
    }
    return found.isMissingNode() ? Optional.empty() : Optional.of(json.treeToValue(found, Pet.class));
  }

  /** Creates a pet, once, however often it has to ask. */
  Pet addPet(String name, long categoryId) throws IOException, InterruptedException {
    var pet = json.writeValueAsString(Map.of("name", name, "categoryId", categoryId));
    return json.readValue(expect(201, send(creation("/pets", pet))), Pet.class);
  }

  void order(long petId, int quantity) throws IOException, InterruptedException {
    expect(201, send(creation("/store/orders", json.writeValueAsString(Map.of("petId", petId, "quantity", quantity)))));
  }

  private HttpRequest.Builder creation(String path, String body) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", '"' + UUID.randomUUID().toString() + '"') // makes POST safe to repeat
        .POST(BodyPublishers.ofString(body));
  }

  /** Sends a request, again if the service is unavailable or the connection breaks. */
  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        var response = client.send(request.build(), BodyHandlers.ofString());
        if (attempt == ATTEMPTS || !List.of(502, 503, 504).contains(response.statusCode())) {
          warnIfDeprecated(response);
          return response;
        }
        Thread.sleep(1000 * response.headers().firstValueAsLong("Retry-After").orElse(0));
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
      Thread.sleep(10L << attempt);
    }
  }

  private void warnIfDeprecated(HttpResponse<?> response) {
    response.headers().firstValue("Sunset").ifPresent(
        date -> warnings.accept(response.request().method() + " " + response.uri().getPath() + " is removed on " + date));
  }

  private static Optional<URI> link(HttpResponse<?> response, String relation) {
    return response.headers().allValues("Link").stream()
        .flatMap(line -> LINK.matcher(line).results())
        .filter(link -> link.group(2).equals(relation))
        .map(link -> response.uri().resolve(link.group(1)))
        .findFirst();
  }

  private static String expect(int status, HttpResponse<String> response) throws IOException {
    if (response.statusCode() != status) {
      throw new IOException(response + ": " + response.body());
    }
    return response.body();
  }
}
