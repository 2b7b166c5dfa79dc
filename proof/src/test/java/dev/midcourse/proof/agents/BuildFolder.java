package dev.midcourse.proof.agents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary folders in the build folder, because some agents behave differently in the
 * system's temporary folder.
 */
public final class BuildFolder implements TempDirFactory {

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    var parent = Files.createDirectories(Path.of("target", "homes").toAbsolutePath());
    return Files.createTempDirectory(parent, "home-");
  }
}
