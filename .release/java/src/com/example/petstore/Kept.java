package com.example.petstore;

import java.nio.file.Path;

/** The paths of the files that keep() has written. */
public record Kept(Path world, Path har) {}
