package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgeSuite;
import java.nio.file.Path;

/** The adapter against a fake GitLab. */
class GitLabForgeTest extends ForgeSuite {

  @Override
  protected ForgeProject open(Path folder) throws Exception {
    return new GitLabProject();
  }
}
