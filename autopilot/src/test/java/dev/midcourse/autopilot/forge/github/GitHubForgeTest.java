package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgeSuite;
import java.nio.file.Path;

/** The adapter against the fake GitHub. */
final class GitHubForgeTest extends ForgeSuite {

  @Override
  protected ForgeProject open(Path folder) throws Exception {
    return new GitHubProject(folder);
  }
}
