package com.example.petstore;

/** What fake data is generated from: {@code new Baseline().pets(3)}. Null leaves a value unchanged. */
public record Baseline(Long seed, Integer pets, Integer categories, Integer orders) {
  public Baseline() {
    this(null, null, null, null);
  }

  public Baseline seed(long seed) {
    return Json.with(this, "seed", seed);
  }

  public Baseline pets(int pets) {
    return Json.with(this, "pets", pets);
  }

  public Baseline categories(int categories) {
    return Json.with(this, "categories", categories);
  }

  public Baseline orders(int orders) {
    return Json.with(this, "orders", orders);
  }
}
