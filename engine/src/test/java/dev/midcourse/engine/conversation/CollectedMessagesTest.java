package dev.midcourse.engine.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Steer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wiring that collects: what comes while the agent works is one prompt after its turn. */
class CollectedMessagesTest {
  @TempDir private Path folder;
  private Optional<ChatFixture> opened = Optional.empty();

  @AfterEach
  void close() {
    opened.ifPresent(ChatFixture::close);
  }

  private ChatFixture fixture(Optional<Duration> linger) {
    ChatFixture fixture = new ChatFixture(folder, linger);
    opened = Optional.of(fixture);
    fixture.person("ann", PersonRole.OWNER);
    Chat direct = fixture.chat("dm-ann", ChatKind.DIRECT, false, ChatFixture.WORKER);
    fixture.rewire(direct, CollectedMessagesTest::collecting);
    return fixture;
  }

  private static Wiring collecting(Wiring old) {
    return new Wiring(
        old.id(),
        old.chat(),
        old.worker(),
        old.engagement(),
        old.senderScope(),
        old.ignored(),
        old.sessionMode(),
        old.priority(),
        LiveRunPolicy.COLLECT,
        old.debounce(),
        old.createdAt());
  }

  private static Run started(ChatFixture fixture) {
    fixture.says("ann", "fix the login").send();
    Run run = fixture.onlyRun();
    fixture.begins(run);
    return run;
  }

  /** Seen to fail when messages of a wiring that collects are a steer each. */
  @Test
  void what_comes_during_a_turn_is_one_message_to_the_agent_when_it_waits() {
    ChatFixture fixture = fixture(Optional.of(Duration.ofMinutes(10)));
    Run run = started(fixture);
    String first = fixture.says("ann", "only OAuth").replyTo("m1").send();
    String second = fixture.says("ann", "and the logout").send();
    assertThat(fixture.steers(run.id())).isEmpty();
    assertThat(fixture.reaction(first).orElseThrow().status()).isEqualTo(MessageStatus.QUEUED);
    assertThat(fixture.reaction(second).orElseThrow().text())
        .contains("Collected, position 2: given together after " + run.id());

    fixture.agent.ends("fixed");
    String given = fixture.agent.awaitMessage("prompt 2");
    assertThat(given).containsSubsequence("only OAuth</message>", "and the logout</message>");
    assertThat(given).containsOnlyOnce("<messages>");
    assertThat(fixture.steers(run.id())).hasSize(1);
    fixture.agent.begins(2);
    fixture.agent.ends("both done");
    fixture.awaitText("dm-ann", "both done");
    fixture.awaitReaction(first, MessageStatus.DONE);
    fixture.awaitReaction(second, MessageStatus.DONE);
    assertThat(fixture.runs()).hasSize(1);
  }

  /** Seen to fail when the end of a run does not give the messages that wait. */
  @Test
  void what_was_collected_opens_one_run_when_the_run_ends_with_its_turn() {
    ChatFixture fixture = fixture(Optional.empty());
    Run run = started(fixture);
    fixture.says("ann", "only OAuth").send();
    fixture.says("ann", "and the logout").send();
    fixture.agent.ends("fixed");

    await().until(() -> fixture.runs().size() == 2);
    Run next = fixture.runs().getLast();
    assertThat(next.spec().prompt())
        .containsSubsequence("only OAuth</message>", "and the logout</message>");
    assertThat(next.spec().parent()).contains(run.id());
  }

  @Test
  void a_stop_takes_back_what_was_collected_and_tells_it() {
    ChatFixture fixture = fixture(Optional.empty());
    Run run = started(fixture);
    fixture.agent.exitingSilently();
    String waiting = fixture.says("ann", "only OAuth").send();
    fixture.says("ann", "stop").send();

    fixture.awaitReaction(waiting, MessageStatus.STOPPED);
    fixture.engine.awaitState(run.id(), RunState.STOPPED);
    fixture.awaitText("dm-ann", "Stopped");
    assertThat(fixture.runs()).hasSize(1);
  }

  /** Seen to fail when messages for a stopped run open another one. */
  @Test
  void a_stop_from_elsewhere_takes_back_what_was_collected_and_tells_it() {
    ChatFixture fixture = fixture(Optional.empty());
    Run run = started(fixture);
    fixture.agent.exitingSilently();
    String waiting = fixture.says("ann", "only OAuth").send();
    fixture.engine.engine().runs().stop(run.id(), run.spec().author());

    fixture.awaitReaction(waiting, MessageStatus.STOPPED);
    assertThat(fixture.runs()).hasSize(1);
  }

  /** Seen to fail when nothing is given to an agent that has become idle. */
  @Test
  void what_was_collected_before_a_crash_of_the_hub_is_given_once() {
    ChatFixture fixture = fixture(Optional.of(Duration.ofMinutes(10)));
    Run run = started(fixture);
    fixture.says("ann", "only OAuth").send();
    fixture.restartHub();
    fixture.agent.ends("fixed");

    assertThat(fixture.agent.awaitMessage("prompt 2")).contains("only OAuth</message>");
    assertThat(fixture.steers(run.id())).hasSize(1);
  }

  /** Seen to fail when the edit of one message replaces the text of all of them. */
  @Test
  void an_edit_changes_what_is_collected_and_not_what_was_given_together() {
    ChatFixture fixture = fixture(Optional.of(Duration.ofMinutes(10)));
    Run run = started(fixture);
    String first = fixture.says("ann", "only OAuth").send();
    String second = fixture.says("ann", "and the logout").send();
    fixture.says("ann", "only SAML").edits(first).send();
    fixture.agent.ends("fixed");

    String given = fixture.agent.awaitMessage("prompt 2");
    assertThat(given).contains("only SAML</message>", "and the logout</message>");
    assertThat(given).doesNotContain("only OAuth");
    fixture.says("ann", "and the menu").edits(second).send();
    fixture.awaitText("dm-ann", "Too late to change: the agent has it already");
    assertThat(fixture.steers(run.id()).getFirst().text().value()).contains("only SAML");
  }

  /** Seen to fail when a message that waits for others cannot be taken back. */
  @Test
  void the_queue_lists_what_is_collected_and_withdraw_takes_it_back() {
    ChatFixture fixture = fixture(Optional.of(Duration.ofMinutes(10)));
    Run run = started(fixture);
    fixture.says("ann", "only OAuth").send();
    String second = fixture.says("ann", "and the logout").send();
    fixture.says("ann", "/queue").send();
    fixture.awaitText(
        "dm-ann",
        "1. only OAuth (together after %s)\n2. and the logout (together after %s)"
            .formatted(run.id(), run.id()));
    fixture.says("ann", "/withdraw").send();
    fixture.awaitReaction(second, MessageStatus.STOPPED);
    fixture.agent.ends("fixed");

    assertThat(fixture.agent.awaitMessage("prompt 2"))
        .contains("only OAuth</message>")
        .doesNotContain("and the logout");
  }

  /** Seen to fail when a text that is too long for one message to the agent is refused. */
  @Test
  void what_is_too_long_for_one_message_is_given_in_several_in_order() {
    ChatFixture fixture = fixture(Optional.of(Duration.ofMinutes(10)));
    Run run = started(fixture);
    fixture.says("ann", "first " + "x".repeat(40_000)).send();
    fixture.says("ann", "second " + "y".repeat(40_000)).send();
    fixture.agent.ends("fixed");

    await().until(() -> fixture.steers(run.id()).size() == 2);
    List<Steer> steers = fixture.steers(run.id());
    assertThat(steers.getFirst().text().value()).contains(">first x");
    assertThat(steers.getLast().text().value()).contains(">second y");
  }
}
