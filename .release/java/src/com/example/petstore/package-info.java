/**
 * Petstore sandboxes for tests, with the JDK alone (17 or newer); {@link com.example.petstore.Petstore} is for JUnit 5.
 *
 * <pre>{@code
 * try (var store = PetstoreSandbox.start("--pets=500"); var pets = store.sandbox("checkout")) {
 *   pets.fault(FaultRule.on("createPet").times(2).status(503));
 *   checkout(pets.url);
 *   assertEquals(3, pets.count(Filter.of("createPet")));
 * }
 * }</pre>
 *
 * Names of fields are those of the admin API, which the server shows at /docs/. The clients for JavaScript and Python have
 * the same names in their spelling: wait_for_requests.
 */
package com.example.petstore;
