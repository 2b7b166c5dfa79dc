package dev.midcourse.engine.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.run.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that people send, up to the folder in which the agent works. */
@SuppressWarnings("NullAway.Init")
class AttachmentsTest {
  private static final Pattern SAVED = Pattern.compile("saved to ([^\\]]+)");

  private final List<String> fetched = new CopyOnWriteArrayList<>();
  private ChatFixture fixture;
  private Chat direct;

  @BeforeEach
  void open(@TempDir Path folder) {
    fixture = new ChatFixture(folder);
    fixture.person("ann", PersonRole.OWNER);
    direct = fixture.chat("dm-ann", ChatKind.DIRECT, false, ChatFixture.WORKER);
    fixture.files =
        (_, file, target, _) -> {
          fetched.add(file.reference());
          Files.writeString(target, "content of " + file.name());
        };
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Path savedIn(Run run) {
    Matcher matcher = SAVED.matcher(run.spec().prompt());
    assertThat(matcher.find()).as(run.spec().prompt()).isTrue();
    return Path.of(run.spec().workspace()).resolve(matcher.group(1));
  }

  @Test
  void a_file_is_where_the_prompt_says_it_is_and_git_does_not_see_it() throws Exception {
    fixture.says("ann", "Look at this.").in(direct).with("../notes 1.txt", 10).send();
    Path file = savedIn(fixture.onlyRun());
    await().until(() -> Files.exists(file));
    assertThat(file).hasContent("content of ../notes 1.txt").hasFileName("1-notes 1.txt");
    assertThat(file.resolve("../../.gitignore").normalize()).hasContent("*");
  }

  @Test
  void the_file_of_a_steer_is_there_too() {
    String first = fixture.says("ann", "Begin.").in(direct).send();
    Run run = fixture.onlyRun();
    fixture.begins(run);
    fixture.says("ann", "And this.").in(direct).replyTo(first).with("plan.txt", 10).send();
    assertThat(steersOf(run)).contains("plan.txt, saved to midcourse-files/");
    await().until(() -> fetched.contains("ref-plan.txt"));
  }

  /** Seen to fail when files are fetched before somebody is let in. */
  @Test
  void no_file_of_a_stranger_is_fetched() {
    Chat group = fixture.chat("g", ChatKind.GROUP, false, ChatFixture.WORKER);
    fixture.says("eve", "Look at this.").in(group).mentioned().with("virus.exe", 10).send();
    fixture.says("ann", "Begin.").in(direct).with("plan.txt", 10).send();
    await().until(() -> fetched.contains("ref-plan.txt"));
    assertThat(fetched).doesNotContain("ref-virus.exe");
  }

  /** Seen to fail when the folder is made with Files.createDirectories. */
  @Test
  void t156_a_link_that_an_agent_made_is_not_followed_and_the_agent_is_told(@TempDir Path elsewhere)
      throws Exception {
    String first = fixture.says("ann", "Begin.").in(direct).send();
    Run run = fixture.onlyRun();
    fixture.begins(run);
    Path workspace = Files.createDirectories(Path.of(run.spec().workspace()));
    Files.createSymbolicLink(workspace.resolve("midcourse-files"), elsewhere);
    fixture.says("ann", "And this.").in(direct).replyTo(first).with("plan.txt", 10).send();
    await().until(() -> steersOf(run).contains("is not a folder"));
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void a_file_that_is_too_large_is_not_fetched_and_the_agent_is_told() {
    fixture.says("ann", "Begin.").in(direct).with("film.mp4", 1L << 40).send();
    await().until(() -> steersOf(fixture.onlyRun()).contains("it has more than"));
    assertThat(fetched).isEmpty();
  }

  @Test
  void the_next_hub_fetches_what_the_one_before_did_not() {
    fixture.files =
        (_, _, _, _) -> {
          throw new IllegalStateException("the hub dies here");
        };
    fixture.says("ann", "Begin.").in(direct).with("plan.txt", 10).send();
    Run run = fixture.onlyRun();
    await().until(() -> steersOf(run).contains("the hub dies here"));
    fixture.files = (_, file, target, _) -> Files.writeString(target, file.name());
    fixture.restartHub();
    await().until(() -> Files.exists(savedIn(run)));
  }

  /** Seen to fail when the next hub looks only at the messages that opened the run. */
  @Test
  void the_next_hub_fetches_the_file_of_a_steer_too() {
    String first = fixture.says("ann", "Begin.").in(direct).send();
    Run run = fixture.onlyRun();
    fixture.begins(run);
    fixture.files =
        (_, _, _, _) -> {
          throw new IllegalStateException("the hub dies here");
        };
    fixture.says("ann", "And this.").in(direct).replyTo(first).with("plan.txt", 10).send();
    await().until(() -> steersOf(run).contains("the hub dies here"));
    fixture.files =
        (_, file, target, _) -> {
          Files.writeString(target, file.name());
          fetched.add(file.reference());
        };
    fixture.restartHub();
    await().until(() -> fetched.contains("ref-plan.txt"));
  }

  private String steersOf(Run run) {
    return String.join(
        "\n",
        fixture.engine.ledger.read(r -> r.steers(run.id())).stream()
            .map(steer -> steer.text().value())
            .toList());
  }
}
