package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgeSuite;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The adapter against a real Gerrit. */
@Tag("setup")
class GerritForgeTest extends ForgeSuite {
  private static GerritServer server;

  @BeforeAll
  static void start(@TempDir Path site) throws Exception {
    server = GerritServer.start(site);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected ForgeProject open(Path folder) throws Exception {
    return new GerritProject(server, folder);
  }
}
