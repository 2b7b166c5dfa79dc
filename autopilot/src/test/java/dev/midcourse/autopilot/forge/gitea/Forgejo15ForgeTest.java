package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgeSuite;
import java.nio.file.Path;

/** The adapter against a fake Forgejo 15, which cannot resolve threads. */
class Forgejo15ForgeTest extends ForgeSuite {

  @Override
  protected ForgeProject open(Path folder) throws Exception {
    return new GiteaProject("15.0.1+gitea-1.22.0");
  }
}
