package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code sessions} and {@code token}, with a real hub. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionsTest {
  private Path folder = Path.of("");
  private RealHub hub;

  @BeforeAll
  void start(@TempDir Path data) throws IOException {
    folder = data;
    hub = RealHub.start(data);
  }

  @AfterAll
  void end() throws IOException, InterruptedException {
    hub.close();
  }

  @Test
  void sessions_are_listed_and_revoked_one_by_one_or_all() {
    String first = SignedInBrowser.at(HubClient.at(folder));
    String second = SignedInBrowser.at(HubClient.at(folder));
    assertThat(hub.cli().type("sessions").out())
        .contains("BROWSER", "PROGRAM", "SIGNED IN", "LAST USED", "EXPIRES")
        .contains(first, second, "Firefox on Linux", "in 23 h", "http://127.0.0.1:8787");
    assertThat(hub.cli().type("sessions", "revoke", first).out())
        .isEqualTo("Signed out 1 browser\n");
    assertThat(hub.cli().type("sessions").out()).doesNotContain(first).contains(second);
    CliRunner.Typed again = hub.cli().type("sessions", "revoke", first);
    assertThat(again.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(again.all()).contains("list all signed-in browsers: midcourse sessions");
    assertThat(hub.cli().type("sessions", "revoke", "--all").out())
        .isEqualTo("Signed out 1 browser\n");
    assertThat(hub.cli().type("sessions").out()).isEqualTo("No browser is signed in\n");
  }

  @Test
  void revoke_needs_a_session_or_all() {
    for (String[] words :
        new String[][] {
          {"sessions", "revoke"},
          {"sessions", "--all"},
          {"sessions", "end", "x"},
          {"sessions", "revoke", "x", "--all"}
        }) {
      CliRunner.Typed typed = hub.cli().type(words);
      assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.USAGE);
    }
  }

  /** Seen to fail when rotate leaves the file as it was. */
  @Test
  void the_token_is_printed_and_replaced() throws IOException {
    String before = Files.readString(folder.resolve("token"));
    assertThat(hub.cli().type("token").out()).isEqualTo(before);
    CliRunner.Typed rotated = hub.cli().type("token", "rotate");
    assertThat(rotated.out())
        .contains("New token in " + folder.resolve("token"))
        .contains("Programs with the old token are refused");
    assertThat(hub.cli().type("token").out())
        .isEqualTo(Files.readString(folder.resolve("token")))
        .isNotEqualTo(before);
    assertThat(hub.cli().type("token", "x").code()).isEqualTo(ExitCode.USAGE);
  }
}
