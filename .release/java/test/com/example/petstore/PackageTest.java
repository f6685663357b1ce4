package com.example.petstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the built package: the jar, its search for the binary, its records, and its JSON. */
@ExtendWith(Petstore.class)
class PackageTest {
  /** The main jar, whose package the tests are in too. */
  private static Path jar() throws Exception {
    return Path.of(Binary.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String version() throws Exception {
    try (var jar = new JarFile(jar().toFile())) {
      return jar.getManifest().getMainAttributes().getValue("Implementation-Version");
    }
  }

  @Test
  void theVersionIsThatOfTheBinary() throws Exception {
    var process = new ProcessBuilder(Binary.find().toString(), "--version").start();
    assertEquals("petstore v" + version(), process.inputReader().readLine());
  }

  @Test
  void whereTheBinaryIs(@TempDir Path directory) throws Exception {
    assertTrue(Binary.find().getFileName().toString().startsWith("petstore-"), "it comes from the jar of the platform");
    Files.writeString(directory.resolve("petstore"), "#!/bin/sh\necho from the path").toFile().setExecutable(true);
    var said = CasesTest.start(Map.of("PATH", directory.toString()));
    assertTrue(said.startsWith("petstore --addr=127.0.0.1:0 said \"from the path\""), said);
  }

  @Test
  void aBinaryThatIsNowhere(@TempDir Path directory) throws Exception {
    var alone = Files.copy(jar(), directory.resolve("alone.jar"));
    var tests = Path.of(PackageTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder = new ProcessBuilder(java, "-cp", alone + ":" + tests, CasesTest.Starts.class.getName());
    builder.environment().put("PATH", "/nowhere");
    assertEquals("there is no petstore binary: PETSTORE_BINARY is not set, there is no petstore in PATH (/nowhere), none in a jar for "
        + Binary.platform() + ", and no " + directory.resolve("petstore")
        + "; add that jar, or set PETSTORE_BINARY to the path of a petstore binary", builder.start().inputReader().readLine());
    Files.writeString(directory.resolve("petstore"), "#!/bin/sh\necho beside the jar").toFile().setExecutable(true);
    var said = builder.start().inputReader().readLine();
    assertTrue(said.startsWith("petstore --addr=127.0.0.1:0 said \"beside the jar\""), said);
  }

  @Test
  void recordsHaveTheFieldsOfTheDocument(Store store) {
    var schemas = Json.at(Json.parse(store.server.ask("GET", "/admin/openapi.json", null)), "components", "schemas");
    Map.of(
        "Clock", ClockReading.class, "Delay", FaultRule.Delay.class, "FaultMatch", FaultRule.Match.class, "NewFaultRule", FaultRule.class,
        "JournalEntry", JournalEntry.class, "JournalResponse", JournalEntry.Response.class, "OperationStatus", OperationStatus.class,
        "BaselineRequest", Baseline.class, "ErrorDetail", PetstoreException.Detail.class, "Error", PetstoreException.Sent.class
    ).forEach((schema, record) -> {
      var fields = ((Map<?, ?>) Json.at(schemas, schema, "properties")).keySet();
      assertEquals(new TreeSet<>(fields), names(record), schema);
      var required = Json.at(schemas, schema, "required") instanceof List<?> list ? Set.copyOf(list) : Set.of();
      for (var component : record.getRecordComponents()) { // an optional field needs a type with null, unless it is a boolean
        var isPrimitive = component.getType().isPrimitive() && component.getType() != boolean.class;
        assertFalse(isPrimitive && !required.contains(component.getName()), schema + "." + component.getName());
      }
    });
    var changes = Arrays.stream(Lifecycle.class.getDeclaredMethods()).filter(one -> one.getReturnType() == Lifecycle.class)
        .map(java.lang.reflect.Method::getName).filter(name -> !name.equals("with")).collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(((Map<?, ?>) Json.at(schemas, "LifecyclePatch", "properties")).keySet()), changes);
  }

  private static Set<String> names(Class<?> record) {
    return Arrays.stream(record.getRecordComponents()).map(RecordComponent::getName).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void jsonIsReadAsItIsWritten() {
    var text = " {\"a\": [1, -2.5e3, true, false, null, {}, []], \"b\\u00e4\\n\\\"\\\\\\/\": \"\\ud83d\\udc15\"} ";
    var value = (Map<?, ?>) Json.parse(text);
    assertEquals(Arrays.asList(new BigDecimal("1"), new BigDecimal("-2.5e3"), true, false, null, Map.of(), List.of()), value.get("a"));
    assertEquals("\ud83d\udc15", value.get("bä\n\"\\/"));
    assertEquals(value, Json.parse(Json.write(value)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1", "{\"a\" 1}", "{a: 1}", "\"a", "1 2", "<h1>Welcome</h1>", "\"\\u12\"", "tru"})
  void whatIsNoJson(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
  }

  @Test
  void theJarHasWhatMavenWants() throws Exception {
    var root = "META-INF/maven/com.example.petstore/petstore-sandbox/";
    var version = version();
    for (var name : List.of("pom.xml", "pom.properties")) {
      try (var file = Petstore.class.getResourceAsStream("/" + root + name)) {
        assertTrue(new String(file.readAllBytes()).contains(version), name);
      }
    }
    try (var names = Stream.of(System.getProperty("java.class.path").split(":"))) {
      assertFalse(names.anyMatch(name -> name.contains("jackson")), "it works without Jackson");
    }
  }
}
