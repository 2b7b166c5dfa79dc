package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgeSuite;
import java.nio.file.Path;

/** The adapter against a fake Gitea 1.27, which can reply and resolve. */
class Gitea127ForgeTest extends ForgeSuite {

  @Override
  protected ForgeProject open(Path folder) throws Exception {
    return new GiteaProject("1.27.0");
  }
}
