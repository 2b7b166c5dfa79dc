package dev.midcourse.autopilot.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Projects of one forge. */
final class ForgeAdaptersTest {
  /** Seen to fail when each project has limits of its own. */
  @Test
  void the_projects_of_a_forge_share_its_limits() throws Exception {
    try (FakeHost host = new FakeHost(_ -> Reply.of(429, "{}").with("Retry-After", "600"));
        ForgeAdapters adapters = new ForgeAdapters(InstantSource.system())) {
      ForgeCredential credential = () -> new ForgeCredential.Secret("", "token");
      ForgeSettings settings =
          new ForgeSettings(
              "work",
              ForgeKind.GITHUB,
              host.address(),
              _ -> credential,
              "localhost",
              Optional.empty(),
              Duration.ZERO,
              Duration.ZERO);

      for (String project : List.of("team/shop", "team/desk")) {
        assertThatThrownBy(() -> adapters.open(settings, project, credential).signIn())
            .isInstanceOfSatisfying(
                ForgeException.class,
                e -> assertThat(e.error()).isInstanceOf(ForgeError.Limited.class));
      }
      assertThat(host.requests()).hasSize(1);
    }
  }
}
