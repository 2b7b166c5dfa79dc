package dev.midcourse.channels;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The client libraries of other people that {@code channels/clients/install} installs. */
public final class ClientPrograms {
  private ClientPrograms() {}

  /**
   * Returns a script of {@code channels/clients/NAME} in its installed folder, where Node finds the
   * packages beside it. Skips the test if they are not installed.
   */
  public static Path script(String client, String file) {
    Path folder =
        Optional.ofNullable(System.getenv("MIDCOURSE_CLIENTS"))
            .map(Path::of)
            .orElseGet(() -> repository().resolve(".cache/clients"))
            .resolve(client);
    assumeTrue(
        Files.exists(folder.resolve("installed")),
        "the npm packages of channels/clients/" + client + " are not installed; ./verify does it");
    return folder.resolve(file);
  }

  /** The folder of the repository. */
  public static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder =
          Optional.ofNullable(folder.getParent())
              .orElseThrow(() -> new IllegalStateException("the tests run outside the repository"));
    }
    return folder;
  }
}
