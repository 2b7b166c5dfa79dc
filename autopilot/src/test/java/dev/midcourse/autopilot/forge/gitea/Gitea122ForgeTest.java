package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgeSuite;
import java.nio.file.Path;

/**
 * The adapter against a fake Gitea 1.22, which can neither reply to comments nor resolve threads.
 */
class Gitea122ForgeTest extends ForgeSuite {

  @Override
  protected ForgeProject open(Path folder) throws Exception {
    return new GiteaProject("1.22.6");
  }
}
