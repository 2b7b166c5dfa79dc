package dev.midcourse.engine.conversation;

import static dev.midcourse.engine.conversation.ChatFixture.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A message has its meaning in every state of its run, and however late it comes. */
class LateMessageTest {
  @TempDir Path folder;
  private Optional<ChatFixture> opened = Optional.empty();

  @AfterEach
  void close() {
    opened.ifPresent(ChatFixture::close);
  }

  private ChatFixture fixture(Optional<Duration> linger) {
    ChatFixture fixture = new ChatFixture(folder, linger);
    opened = Optional.of(fixture);
    fixture.person("ann", PersonRole.MEMBER);
    fixture.chat("dm-ann", ChatKind.DIRECT, false, WORKER);
    return fixture;
  }

  private static Run started(ChatFixture fixture) {
    fixture.says("ann", "fix the login").send();
    Run run = fixture.onlyRun();
    fixture.begins(run);
    return run;
  }

  /** Seen to fail when only a run in the state running counts as live. */
  @Test
  void t222_a_message_reaches_a_run_that_is_queued() {
    ChatFixture fixture = fixture(Optional.empty());
    started(fixture);
    fixture.person("bob", PersonRole.MEMBER);
    fixture.chat("dm-bob", ChatKind.DIRECT, false, WORKER);
    String task = fixture.says("bob", "deploy").send();
    Run queued = fixture.runs().getLast();
    fixture.says("bob", "to staging").replyTo(task).send();

    assertThat(fixture.engine.now(queued.id()).state()).isEqualTo(RunState.QUEUED);
    assertThat(fixture.steers(queued.id())).hasSize(1);
  }

  /** Seen to fail when a reply to a live run becomes no steer. */
  @Test
  void t222_a_message_reaches_a_run_that_waits_for_an_answer() {
    ChatFixture fixture = fixture(Optional.empty());
    Run run = started(fixture);
    fixture.agent.says(
        new AgentEvent.Asked("ask-1", AgentEvent.AskKind.PERMISSION, "Run git push?", "git push"));
    await().until(() -> !fixture.cards("dm-ann").isEmpty());
    fixture.says("ann", "only to staging").replyTo("m1").send();

    fixture.agent.awaitMessage("steer " + fixture.steers(run.id()).getFirst().id());
  }

  /** Seen to fail when a run without a turn does not count as live. */
  @Test
  void t222_a_message_reaches_a_run_whose_agent_is_idle() {
    ChatFixture fixture = fixture(Optional.of(Duration.ofMinutes(10)));
    Run run = started(fixture);
    fixture.agent.ends("fixed");
    fixture.awaitReaction("m1", MessageStatus.DONE);
    await().until(() -> fixture.engine.now(run.id()).idle().isPresent());
    fixture.says("ann", "and the logout").send();

    assertThat(fixture.agent.awaitMessage("prompt 2")).contains("and the logout");
    assertThat(fixture.runs()).hasSize(1);
  }

  /** Seen to fail when an agent that waits for a message counts as running. */
  @Test
  void a_new_session_beside_an_idle_agent_is_refused_with_what_to_do() {
    ChatFixture fixture = fixture(Optional.of(Duration.ofMinutes(10)));
    Run run = started(fixture);
    fixture.agent.ends("fixed");
    await().until(() -> fixture.engine.now(run.id()).idle().isPresent());
    fixture.says("ann", "/new begin anew").send();

    fixture.awaitText(
        "dm-ann",
        "The agent of the last task still waits for more here. End it with /stop, then send /new"
            + " and the task.");
  }

  /** Seen to fail when messages that have waited for six hours are left out. */
  @Test
  void t223_a_message_that_waited_a_week_is_given_to_the_agent() {
    ChatFixture fixture = fixture(Optional.empty());
    fixture.clock.stop();
    Chat direct =
        fixture
            .engine
            .ledger
            .read(r -> r.chats().chat(ChatFixture.CHANNEL, "dm-ann"))
            .orElseThrow();
    fixture.rewire(direct, ConversationServiceTest::debounced);
    fixture.says("ann", "fix the login").send();
    fixture.clock.move(Duration.ofDays(7));
    fixture.restartHub();

    await().until(() -> fixture.runs().size() == 1);
    assertThat(fixture.onlyRun().spec().prompt()).contains("fix the login</message>");
  }

  /** Seen to fail when a stop is signalled to the supervisor and not stored. */
  @Test
  void t225_a_stop_that_a_dead_hub_had_stored_stops_the_run_and_is_never_text() {
    ChatFixture fixture = fixture(Optional.empty());
    Run run = started(fixture);
    fixture.agent.exitingSilently();
    String stop = fixture.says("ann", "stop").replyTo("m1").send();
    fixture.restartHub();

    fixture.engine.awaitState(run.id(), RunState.STOPPED);
    fixture.awaitReaction(stop, MessageStatus.STOPPED);
    assertThat(fixture.runs()).hasSize(1);
    assertThat(fixture.agent.countMessages("stop</message>")).isZero();
  }

  @Test
  void a_stop_that_is_delivered_after_a_restart_stops_the_run() {
    ChatFixture fixture = fixture(Optional.empty());
    Run run = started(fixture);
    String steer = fixture.says("ann", "only OAuth").replyTo("m1").send();
    InboundMessage stop = fixture.says("ann", "stop").replyTo(steer).message();
    fixture.restartHub();
    fixture.service().receive(stop);

    fixture.engine.awaitState(run.id(), RunState.STOPPED);
    assertThat(fixture.runs()).hasSize(1);
  }
}
