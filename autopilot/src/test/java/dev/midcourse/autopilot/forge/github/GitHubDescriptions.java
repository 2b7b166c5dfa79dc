package dev.midcourse.autopilot.forge.github;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.autopilot.forge.fixture.ForgeClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * GitHub's own descriptions of its interfaces, which {@code autopilot/schemas/install} installs.
 */
final class GitHubDescriptions {
  private GitHubDescriptions() {}

  /** Reads a file. Skips the test if the files are not installed. */
  static String read(String name) throws IOException {
    Path folder =
        Optional.ofNullable(System.getenv("MIDCOURSE_SCHEMAS"))
            .map(Path::of)
            .orElseGet(() -> ForgeClients.repository().resolve(".cache/schemas"));
    assumeTrue(
        Files.exists(folder.resolve("installed")),
        "the npm packages of autopilot/schemas are not installed; ./verify does it");
    return Files.readString(folder.resolve(name));
  }
}
