package dev.midcourse.proof.repository;

import java.nio.file.Path;
import java.util.Optional;

/** The clone that is under test. */
public final class Clone {
  public static final Path ROOT =
      Optional.ofNullable(System.getProperty("midcourse.root"))
          .map(Path::of)
          .orElseThrow(() -> new IllegalStateException("run this through Maven"))
          .toAbsolutePath();

  private Clone() {}
}
