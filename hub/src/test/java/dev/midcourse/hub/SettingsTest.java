package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @TempDir Path data;

  private HubSettings file(String toml) throws IOException {
    Files.writeString(data.resolve("midcourse.toml"), toml);
    return SettingsFile.read(data);
  }

  @Test
  void without_a_file_everything_is_as_usual() {
    assertThat(SettingsFile.read(data)).isEqualTo(HubSettings.in(data));
  }

  @Test
  void a_file_says_what_is_not_as_usual() throws Exception {
    HubSettings settings =
        file(
            """
            [hub]
            port = 9000
            default_agent = "claude"
            most_running = 7
            database_url = "postgresql://ada@localhost/midcourse"

            [workers.jarvis-worker-1]
            at_once = 3
            """);
    assertThat(settings.port()).contains(9000);
    assertThat(settings.defaultAgent()).contains(AgentName.of("claude"));
    assertThat(settings.mostRunning()).isEqualTo(7);
    assertThat(settings.databaseUrl()).contains("postgresql://ada@localhost/midcourse");
    assertThat(settings.perWorker()).containsEntry(WorkerName.of("jarvis-worker-1"), 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hub = 5 | hub",
        "[hub]\\nport = 'x' | hub.port",
        "[hub]\\nport = 99999 | port",
        "[hub]\\ncolour = 1 | hub.colour",
        "[moon]\\na = 1 | moon",
        "[hub]\\ninsecure = 'yes' | insecure",
        "[hub]\\nhost = '0.0.0.0' | host",
        "[workers.w]\\nat_twice = 1 | workers.w.at_twice",
        "[hub | midcourse.toml"
      })
  void a_wrong_setting_is_refused_by_name(String toml, String field) {
    assertThatThrownBy(() -> file(toml.replace("\\n", "\n")))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.problem().field()).isEqualTo(field));
  }

  @Test
  void the_command_line_wins_over_the_environment_and_that_over_the_file() throws Exception {
    HubSettings file = file("[hub]\nport = 9000\ndatabase_url = \"postgresql://file/x\"\n");
    HubSettings settings =
        Arguments.parse("--port", "0", "--until-idle", "5m")
            .over(file, Map.of("MIDCOURSE_DATABASE_URL", "postgresql://environment/x"));
    assertThat(settings.port()).contains(0);
    assertThat(settings.untilIdle()).contains(Duration.ofMinutes(5));
    assertThat(settings.databaseUrl()).contains("postgresql://environment/x");
    assertThat(Arguments.parse().over(file, Map.of()).port()).contains(9000);
  }

  @ParameterizedTest
  @CsvSource({"--port", "--port x", "--colour", "--until-idle soon", "serve"})
  void a_wrong_argument_is_refused(String words) {
    assertThatThrownBy(() -> Arguments.parse(words.split(" ", -1)))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void a_database_is_taken_apart_for_its_driver_and_its_password_is_not_shown() {
    DatabaseUrl url = DatabaseUrl.parse("postgresql://ada:s%40cret@db.example:5433/mid?ssl=true");
    assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://db.example:5433/mid?ssl=true");
    assertThat(url.user()).isEqualTo("ada");
    assertThat(url.password()).isEqualTo("s@cret");
    assertThat(url.toString()).doesNotContain("s@cret").doesNotContain("s%40cret");
    assertThat(DatabaseUrl.parse("jdbc:postgresql://db/mid").jdbc())
        .isEqualTo("jdbc:postgresql://db/mid");
    assertThatThrownBy(() -> DatabaseUrl.parse("mysql://x:secret@db/mid"))
        .isInstanceOf(RefusedException.class)
        .hasMessageNotContaining("secret");
  }
}
