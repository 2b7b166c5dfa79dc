package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code midcourse channel}, with a real hub and a shell script as the platform. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChannelCommandTest {
  private static final String PROGRAM =
      """
      echo '{"type":"hello","account":"bot"}'
      while read -r line; do
        case $line in *'"ping"'*) echo '{"type":"pong"}' ;; esac
      done
      """;

  private Path data;
  private String command;
  private RealHub hub;
  private PublishedSchemas schemas;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    data = folder;
    command = "command=/bin/sh," + Files.writeString(data.resolve("program.sh"), PROGRAM);
    hub = RealHub.start(data);
    schemas = PublishedSchemas.of(HubClient.at(data));
  }

  @AfterAll
  void end() throws IOException, InterruptedException {
    hub.close();
  }

  private CliRunner.Typed done(String... words) {
    CliRunner.Typed typed = hub.cli().type(words);
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    return typed;
  }

  private void awaitConnected(String name) {
    Awaitility.await()
        .atMost(RealHub.TIMEOUT)
        .until(() ->
            done("channel").out().lines().anyMatch(line -> line.matches(name + " .*connected.*")));
  }

  @Test
  void a_channel_is_added_listed_tested_and_removed() {
    CliRunner.Typed added = done("channel", "add", "program", "--name", "page", command);
    assertThat(added.out())
        .contains("It says hello, as bot.", "Added the channel page.", "  /link ")
        .doesNotContain("Waiting for it");
    assertThat(added.err()).contains("midcourse people pair");
    awaitConnected("page");
    assertThat(done("channel", "list").out())
        .contains("CHANNEL", "terminal", "page", "program", "bot");
    assertThat(done("channel", "test", "page").out()).contains("It ends when its input ends.");
    assertThat(hub.cli().type("doctor").out())
        .contains("channel page")
        .contains("program, connected");

    CliRunner.Typed again = hub.cli().type("channel", "add", "program", "--name", "page", command);
    assertThat(again.code()).as(again.all()).isEqualTo(ExitCode.REFUSED);
    assertThat(again.err()).contains("there is a channel page already", "--name");
    assertThat(done("channel", "remove", "page").out()).isEqualTo("Removed page\n");
    assertThat(done("channel").out()).doesNotContain("page");
    assertThat(hub.cli().type("channel", "remove", "page").err())
        .contains("there is no channel of a platform with the name 'page'");
  }

  @Test
  void a_channel_whose_check_fails_is_not_added() {
    CliRunner.Typed failed =
        hub.cli().type("channel", "add", "program", "--name", "bad", "command=/bin/sh,-c,exit 3");
    assertThat(failed.code()).as(failed.all()).isEqualTo(ExitCode.FAILED);
    assertThat(failed.all()).contains("status 3", "Nothing was added", "--anyway");
    assertThat(done("channel").out()).doesNotContain("bad");
  }

  @Test
  void the_kinds_are_listed_with_their_settings() {
    assertThat(done("channel", "kinds").out())
        .contains("program  any program", "  command  ", "The program and its arguments.")
        .containsPattern("token +A secret for the program, .*\\(optional\\)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "channel add | expected a kind",
        "channel add progam | did you mean: midcourse channel add program",
        "channel add program | missing settings: command",
        "channel add program command | expected KEY=VALUE, got 'command'",
        "channel add program command=x token=s3cret | token_file=PATH or token_command=COMMAND",
        "channel test | expected NAME",
        "channel remove | expected NAME",
        "channel kinds x | expected no arguments",
        "channel ad | did you mean: midcourse channel add",
      })
  void a_wrong_form_is_refused_with_what_to_do(String words, String message) {
    CliRunner.Typed typed = hub.cli().type(words.split(" ", -1));
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err()).contains(message).doesNotContain("s3cret");
  }

  @Test
  void a_file_of_a_secret_is_named_relative_to_the_folder_of_the_caller() throws IOException {
    CliRunner.Typed typed =
        hub.cli().type("channel", "add", "program", command, "token_file=nowhere");
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.REFUSED);
    assertThat(typed.err()).contains("there is no file " + data.resolve("nowhere"));
  }

  @Test
  void json_fits_the_schemas() {
    assertFits("OneChannel", done("channel", "--json").out(), true);
    assertFits("OneKind", done("channel", "kinds", "--json").out(), true);
    assertFits(
        "Checked",
        done("channel", "add", "program", "--name", "data", command, "--json").out(),
        false);
    assertFits("Checked", done("channel", "test", "data", "--json").out(), false);
    assertFits("OneChannel", done("channel", "remove", "data", "--json").out(), false);
  }

  private void assertFits(String schema, String out, boolean array) {
    var value = PublishedSchemas.MAPPER.readTree(out);
    if (array) {
      assertThat(value).isNotEmpty();
      assertThat(value.valueStream().flatMap(one -> schemas.wrong(schema, one).stream())).isEmpty();
    } else {
      assertThat(schemas.wrong(schema, value)).as(out).isEmpty();
    }
  }
}
