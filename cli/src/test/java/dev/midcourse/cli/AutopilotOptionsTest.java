package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The options of {@code autopilot} for forges and limits, with a real hub and a forge that answers
 * as Gitea does.
 */
@TestInstance(Lifecycle.PER_CLASS)
class AutopilotOptionsTest {
  private Path data;
  private Path clone;
  private PlanForge forge;
  private RealHub hub;

  @BeforeAll
  void start_a_hub_with_a_forge(@TempDir Path folder) throws Exception {
    data = folder;
    clone = data.resolve("shop");
    sh(
        data,
        "git init -q --bare -b main acme/shop.git; git init -q -b main shop; cd shop;"
            + " git commit -q --allow-empty -m start; git remote add origin ../acme/shop.git;"
            + " git remote set-url origin \"$(cd .. && pwd)/acme/shop.git\";"
            + " git push -q origin main; git checkout -q -b feature;"
            + " git commit -q --allow-empty -m feature; git push -q origin feature;"
            + " git checkout -q main; git branch -q -D feature");
    forge = PlanForge.start(sh(clone, "git rev-parse origin/feature"));
    Path token = Files.writeString(data.resolve("token"), "s3cret\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [forges.ours]
        kind = "gitea"
        url = "%s"
        token_file = "token"
        """
            .formatted(forge.url()));
    hub = RealHub.start(data);
  }

  @AfterAll
  void end_everything() throws Exception {
    hub.close();
    forge.close();
  }

  private static String sh(Path folder, String script) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-ec", script)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.environment().put("GIT_AUTHOR_NAME", "Anna");
    builder.environment().put("GIT_AUTHOR_EMAIL", "anna@localhost");
    builder.environment().put("GIT_COMMITTER_NAME", "Anna");
    builder.environment().put("GIT_COMMITTER_EMAIL", "anna@localhost");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as(out).isZero();
    return out.strip();
  }

  private CliRunner.Typed autopilot(String... words) {
    List<String> all =
        new ArrayList<>(List.of("autopilot", "--repo", clone.toString(), "--agent", "rehearsal"));
    all.addAll(List.of(words));
    return hub.cli().type(all.toArray(new String[0]));
  }

  private List<JsonValue.Obj> loops() {
    return HubClient.at(data).get("/loops?all=true").objects("loops");
  }

  /** What a plan and a refusal must leave as it is. */
  private String state() throws IOException {
    return loops().stream().map(it -> it.text("loop_id").orElse("")).toList()
        + sh(clone, "git for-each-ref; git worktree list; git status --porcelain")
        + sh(data.resolve("acme/shop.git"), "git for-each-ref");
  }

  /** Seen to fail when an option is sent to the hub without a check. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--pr many                         | --pr: expected the number of a change, got 'many'",
        "--pr 0                            | --pr: expected the number of a change, got '0'",
        "--pr 4 --draft                    | --draft and --pr cannot be used together",
        "--only reviews --pr 4             | --only: expected one of ci, got 'reviews'",
        "--only ci x                       | --only and --checks need a forge",
        "--checks build x                  | --only and --checks need a forge",
        "--draft x                         | --draft, --public, --only and --checks need a forge",
        "--public x                        | --draft, --public, --only and --checks need a forge",
        "--forge ours --checks , x         | --checks: expected the names of checks",
        "--time soon x                     | --time: expected a duration such as 30s",
        "--time 0s x                       | --time: expected more than 0",
        "--tokens 0 x                      | --tokens: expected a positive integer, got '0'",
        "--tokens many x                   | --tokens: expected a positive integer, got 'many'",
        "--budget much x                   | --budget: expected dollars such as 2.50, got 'much'",
        "--forge ours                      | the task is missing",
        "--plan                            | the task is missing",
        "--plan --time soon x              | --time: expected a duration"
      })
  void a_wrong_value_is_reported_with_its_option_before_any_request(String line, String what) {
    CliRunner.Typed typed = autopilot(line.split(" ", -1));

    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err()).contains(what);
    assertThat(typed.err()).as("what is wrong, and what to do").hasLineCount(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--forge theirs x                  | there is no forge theirs in the settings",
        "--forge ours --on nothing x       | loop nothing not found",
        "--forge ours --reviewer @ x       | reviewer must be @ and a login",
        "--reviewer @anna x                | reviewer @anna is a login; name the forge too",
        "--forge ours --pr 43              | forge ours",
        "--fixes 101 x                     | fixes must be from 0 to 100",
        "--budget 0 x                      | budget must be more than 0"
      })
  void what_the_hub_or_the_forge_refuses_is_named_and_starts_nothing(String line, String what)
      throws IOException {
    String before = state();
    int writes = forge.writes();

    CliRunner.Typed typed = autopilot(line.split(" ", -1));

    assertThat(typed.code()).as(typed.all()).isNotEqualTo(ExitCode.DONE);
    assertThat(typed.err()).contains(what);
    assertThat(state()).isEqualTo(before);
    assertThat(forge.writes()).isEqualTo(writes);
  }

  /** Seen to fail when a plan is posted as a loop. */
  @ParameterizedTest
  @CsvSource({"--plan", "--dry-run"})
  void a_plan_shows_what_would_happen_and_changes_nothing(String option) throws IOException {
    String before = state();
    int writes = forge.writes();

    CliRunner.Typed typed =
        autopilot(
            option,
            "--forge",
            "ours",
            "--draft",
            "--public",
            "--checks",
            "build,lint",
            "--reviewer",
            "@anna",
            "--time",
            "8h",
            "--tokens",
            "2000000",
            "--land",
            "Fix",
            "it");

    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    assertThat(typed.out())
        .contains("Fix it", clone.toString(), "@anna", "a new draft", "build,lint")
        .contains("ours, acme/shop, as midcourse-bot")
        .contains("8h", "2000000", "merged into its base");
    assertThat(state()).isEqualTo(before);
    assertThat(forge.writes()).isEqualTo(writes);
  }

  /** Seen to fail when a change without a guidance is taken for the list of loops. */
  @Test
  void a_change_can_be_taken_over_without_a_word_about_it() throws IOException {
    String before = state();

    CliRunner.Typed typed = autopilot("--plan", "--pr", "#42", "--only", "ci", "--checks", "build");

    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    assertThat(typed.out())
        .contains("takes over 42", "feature", "main", "only the checks count", "build");
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void a_plan_without_a_forge_needs_no_hub(@TempDir Path empty) {
    CliRunner.Typed typed =
        CliRunner.in(empty).type("autopilot", "--repo", clone.toString(), "--plan", "Fix", "it");

    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    assertThat(typed.out()).contains("Fix it", clone.toString(), "the branch stays");
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void a_plan_as_json_has_the_request_and_the_answer_of_the_forge() {
    CliRunner.Typed typed = autopilot("--plan", "--forge", "ours", "--json", "Fix", "it");

    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    assertThat(typed.out()).contains("\"prompt\":\"Fix it\"", "\"login\":\"midcourse-bot\"");
  }

  /**
   * Seen to fail when the hub takes no numbers for tokens and dollars, and when the loop below must
   * be named by its whole id.
   */
  @Test
  void a_loop_is_started_as_its_options_say_and_another_one_is_planned_on_it() {
    CliRunner.Typed typed =
        autopilot(
            "--detach",
            "--forge",
            "ours",
            "--draft",
            "--branch",
            "lower",
            "--reviewer",
            "@anna",
            "--time",
            "8h",
            "--tokens",
            "2000000",
            "--budget",
            "2.50",
            "$ sleep 100");
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
    String id = typed.out().strip();
    JsonValue.Obj details = HubClient.at(data).get("/loops/" + id);
    JsonValue.Obj limits = details.object("progress").object("limits");
    assertThat(limits.number("tokens")).contains(2_000_000L);
    assertThat(limits.number("seconds")).contains(28_800L);
    assertThat(limits.text("cost_usd")).contains("2.5");
    JsonValue.Obj loop = details.object("loop");
    assertThat(loop.text("reviewer")).contains("@anna");
    assertThat(loop.object("change").text("forge")).contains("ours");
    assertThat(loop.object("change").is("draft")).isTrue();

    CliRunner.Typed plan =
        autopilot(
            "--plan",
            "--forge",
            "ours",
            "--on",
            id.substring(0, id.length() - 2),
            "--branch",
            "upper",
            "More");

    assertThat(plan.code()).as(plan.all()).isEqualTo(ExitCode.DONE);
    assertThat(plan.out()).contains("lower", "upper", "a new one");
    assertThat(hub.cli().type("autopilot", "stop", id).code()).isEqualTo(ExitCode.DONE);
    Awaitility.await("the worktree of the loop is removed, so that no other test sees it going")
        .atMost(RealHub.TIMEOUT)
        .until(() -> sh(clone, "git worktree list").lines().count() == 1);
  }
}
