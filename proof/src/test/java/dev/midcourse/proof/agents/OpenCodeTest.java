package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** OpenCode, as a server. */
class OpenCodeTest extends AgentSuite {
  private boolean asking;

  @Override
  AgentName name() {
    return AgentName.of("opencode");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return asking
        ? OpenCodeHome.createAsking(installed, folder, its)
        : OpenCodeHome.create(installed, folder, its);
  }

  @Override
  String ordinaryTool() {
    return "websearch";
  }

  @Override
  Set<String> usuallyBlocked() {
    return Set.of();
  }

  /** Would fail when the database has another place or format. */
  @Test
  void its_record_has_what_was_said_to_it_and_nothing_else() throws Exception {
    HeldCommand held = held("tool");
    AgentFixture fixture = fixture(shell(held.command()), say("Done."));
    Run run = fixture.run("Please do the \"work\".");
    held.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Use tabs.");
    fixture.awaitRung(steer, Rung.ACCEPTED);
    held.release();
    awaitDone(fixture, run);

    Set<String> said = Set.of("Please do the \"work\".", SteerFrame.head(steer));
    assertThat(
            fixture.recorded(
                run, Set.of("Please do the \"work\".", SteerFrame.head(steer), "Done.")))
        .contains(said);
  }

  /** The agent's own settings decide whether it asks. */
  @Override
  AgentSettings askingSettings() {
    asking = true;
    try {
      return super.askingSettings();
    } finally {
      asking = false;
    }
  }
}
