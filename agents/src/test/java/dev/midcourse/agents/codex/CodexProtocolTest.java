package dev.midcourse.agents.codex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.codex.CodexRequests.CommandSandbox;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Codex's lines mean, line by line, and after a hub died between any two of them. */
class CodexProtocolTest {
  private static final SteerId STEER = SteerId.of("11111111-2222-4333-8444-555555555555");
  private static final CodexRequests CALLS = calls(Optional.empty());

  private static final String HELLO =
      "{\"id\":\"hello\",\"result\":{\"userAgent\":\"midcourse/0.166.0 (Debian 12.0.0; x86_64)\"}}";
  private static final String THREAD =
      "{\"id\":\"thread\",\"result\":{\"thread\":{\"id\":\"t-1\"}}}";
  private static final String ACCEPTED =
      "{\"id\":\"prompt:1\",\"result\":{\"turn\":{\"id\":\"u-1\"}}}";
  private static final String BEGUN = notification("turn/started", "\"turn\":{\"id\":\"u-1\"}");
  private static final String INTERRUPTED =
      notification(
          "turn/completed", "\"turn\":{\"id\":\"u-1\",\"status\":\"interrupted\",\"error\":null}");
  private static final String COMPLETED =
      notification(
          "turn/completed", "\"turn\":{\"id\":\"u-1\",\"status\":\"completed\",\"error\":null}");

  private final List<String> replies = new ArrayList<>();
  private Protocol protocol = new CodexProtocol(CALLS, CodexMemo.FRESH);

  private static CodexRequests calls(Optional<SessionId> resume) {
    return new CodexRequests(
        2, "/work", resume, Optional.of("gpt"), Permissions.ASK, CommandSandbox.OF_CODEX);
  }

  private List<AgentEvent> read(String... lines) {
    List<AgentEvent> events = new ArrayList<>();
    for (String line : lines) {
      ProtocolOutput output = protocol.read(line);
      events.addAll(output.events());
      replies.addAll(output.replies());
      protocol = new CodexProtocol(CALLS, CodexMemo.read(protocol.memo()));
    }
    return events;
  }

  private static String notification(String method, String params) {
    return "{\"method\":\"%s\",\"params\":{\"threadId\":\"t-1\",%s}}".formatted(method, params);
  }

  private static String settings(String some) {
    return "{\"id\":\"settings\",\"result\":{\"config\":{%s}}}".formatted(some);
  }

  private static String shown(String id) {
    return notification(
        "item/started",
        "\"item\":{\"type\":\"userMessage\",\"id\":\"i\",\"clientId\":\"" + id + "\"}");
  }

  private static String said(String text) {
    return notification(
        "item/completed",
        "\"item\":{\"type\":\"agentMessage\",\"id\":\"i\",\"text\":\"" + text + "\"}");
  }

  private static String used(int totalIn, int totalOut, int lastIn, int lastOut) {
    return notification(
        "thread/tokenUsage/updated",
        """
        "tokenUsage":{"total":{"inputTokens":%d,"outputTokens":%d},\
        "last":{"inputTokens":%d,"outputTokens":%d}}\
        """
            .formatted(totalIn, totalOut, lastIn, lastOut));
  }

  private static String refusal(String id, int code, String why) {
    return "{\"id\":\"%s\",\"error\":{\"code\":%d,\"message\":\"%s\"}}".formatted(id, code, why);
  }

  @Test
  void a_turn_is_reported_from_the_prompt_to_its_end() {
    List<AgentEvent> events =
        read(HELLO, THREAD, ACCEPTED, BEGUN, shown("prompt:1"), said("Done."), COMPLETED);

    assertThat(events.getFirst())
        .isInstanceOfSatisfying(
            AgentEvent.Started.class,
            started -> {
              assertThat(started.version()).isEqualTo("0.166.0");
              assertThat(started.can().has(Capability.INJECTED_EVIDENCE)).isTrue();
            });
    assertThat(events.subList(1, events.size()))
        .containsExactly(
            new AgentEvent.PromptAccepted(1, "confirmed by Codex (turn/start)"),
            new AgentEvent.SessionNamed(SessionId.of("t-1")),
            new AgentEvent.TurnStarted(false),
            new AgentEvent.PromptInjected(1, "shown by Codex (item/started)"),
            new AgentEvent.Said("Done."),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", "Done."));
  }

  /** Seen to fail when a steer that Codex puts behind the last answer is taken for answered. */
  @Test
  void a_turn_that_ends_with_a_steer_that_the_model_has_not_seen_continues() {
    read(HELLO, THREAD, ACCEPTED, BEGUN, shown("prompt:1"), said("Done."));
    replies.clear();

    List<AgentEvent> events = read(shown(STEER.value()), COMPLETED);
    assertThat(events)
        .containsExactly(new AgentEvent.SteerInjected(STEER, "shown by Codex (item/started)"));
    assertThat(replies).singleElement().asString().contains("turn/start", "\"go_on\"");
    assertThat(replies.getFirst()).doesNotContain(STEER.value());

    String again = notification("turn/started", "\"turn\":{\"id\":\"u-2\"}");
    assertThat(read("{\"id\":\"go_on\",\"result\":{\"turn\":{}}}", again, shown("go_on")))
        .isEmpty();
    assertThat(protocol.steer(STEER, "x").getFirst()).contains("u-2");
    assertThat(read(said("With tabs."), COMPLETED))
        .containsExactly(
            new AgentEvent.Said("With tabs."),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", "With tabs."));
    assertThat(replies).hasSize(1);
  }

  @Test
  void a_steer_that_the_model_has_answered_ends_with_its_turn() {
    read(HELLO, THREAD, ACCEPTED, BEGUN, shown("prompt:1"), shown(STEER.value()));
    assertThat(read(said("With tabs."), COMPLETED))
        .contains(new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", "With tabs."));
  }

  @Test
  void a_turn_that_cannot_continue_is_over_and_what_came_meanwhile_is_ours_again() {
    read(HELLO, THREAD, ACCEPTED, BEGUN, said("Done."), shown(STEER.value()), COMPLETED);
    assertThat(read(refusal("steer:" + STEER.value(), -32600, "no active turn"))).isEmpty();
    assertThat(read(refusal("go_on", -32600, "no")))
        .containsExactly(
            new AgentEvent.SteerNotTaken(STEER, "the turn was over or takes no steers"),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "completed", "Done."));
  }

  @Test
  void it_is_greeted_and_then_given_its_thread_with_what_the_settings_say() {
    read(HELLO, settings("\"sandbox_mode\":null"));
    assertThat(replies).hasSize(3);
    assertThat(replies.getFirst()).isEqualTo("{\"method\":\"initialized\"}");
    assertThat(replies.get(1)).contains("config/read", "\"cwd\":\"/work\"");
    assertThat(replies.getLast())
        .contains("thread/start", "\"untrusted\"", "\"model\":\"gpt\"", "\"cwd\":\"/work\"");
    String resumed = calls(Optional.of(SessionId.of("t-9"))).thread(true);
    assertThat(resumed).contains("thread/resume", "\"threadId\":\"t-9\"", "\"untrusted\"");
  }

  @Test
  void one_that_may_do_everything_is_given_its_thread_at_once() {
    CodexRequests calls =
        new CodexRequests(
            2,
            "/work",
            Optional.empty(),
            Optional.empty(),
            Permissions.BYPASS,
            CommandSandbox.OF_CODEX);
    assertThat(new CodexProtocol(calls, CodexMemo.FRESH).read(HELLO).replies().getLast())
        .contains("thread/start", "\"never\"", "\"danger-full-access\"");
  }

  /** Seen to fail when Codex is to make a sandbox inside the sandbox of its worker. */
  @Test
  void in_the_sandbox_of_its_worker_it_asks_and_makes_no_sandbox_of_its_own() {
    CodexRequests calls =
        new CodexRequests(
            2,
            "/work",
            Optional.empty(),
            Optional.empty(),
            Permissions.ASK,
            CommandSandbox.OF_WORKER);
    assertThat(calls.afterGreeting())
        .contains("thread/start", "\"untrusted\"", "\"danger-full-access\"");
  }

  @Test
  void what_is_allowed_may_write_in_the_workspace_unless_the_user_has_chosen_a_sandbox() {
    read(settings("\"sandbox_mode\":null,\"default_permissions\":null"));
    assertThat(replies.getLast()).contains("\"sandbox\":\"workspace-write\"");
    read(settings("\"sandbox_mode\":\"danger-full-access\""));
    assertThat(replies.getLast()).contains("thread/start").doesNotContain("sandbox");
    read(settings("\"default_permissions\":\":read-only\""));
    assertThat(replies.getLast()).contains("thread/start").doesNotContain("sandbox");
    read(refusal("settings", -32601, "no such method"));
    assertThat(replies.getLast()).contains("thread/start").doesNotContain("sandbox");
  }

  @Test
  void a_greeting_that_is_written_twice_does_no_harm() {
    List<AgentEvent> events =
        read(
            HELLO,
            THREAD,
            refusal("hello", -32600, "Already initialized"),
            "{\"id\":\"thread\",\"result\":{\"thread\":{\"id\":\"t-2\"}}}",
            BEGUN);
    assertThat(events.stream().filter(AgentEvent.Started.class::isInstance)).hasSize(1);
    assertThat(events).contains(new AgentEvent.SessionNamed(SessionId.of("t-1")));
  }

  @Test
  void a_session_that_cannot_be_resumed_makes_the_program_useless() {
    protocol.read(HELLO);
    assertThat(protocol.read(refusal("thread", -32600, "no rollout found")).fatal())
        .hasValue("no rollout found");
  }

  @Test
  void a_steer_is_accepted_by_the_answer_and_injected_when_it_is_shown() {
    List<AgentEvent> events =
        read(
            HELLO,
            THREAD,
            BEGUN,
            "{\"id\":\"steer:%s\",\"result\":{\"turnId\":\"u-1\"}}".formatted(STEER),
            shown(STEER.value()));
    assertThat(events)
        .endsWith(
            new AgentEvent.SteerAccepted(STEER, "confirmed by Codex (turn/steer)"),
            new AgentEvent.SteerInjected(STEER, "shown by Codex (item/started)"));
    assertThat(protocol.steer(STEER, "Use tabs.").getFirst())
        .contains("\"expectedTurnId\":\"u-1\"", "\"clientUserMessageId\":\"" + STEER + "\"");
  }

  /** Seen to fail when CodexProtocol.notTaken refuses every code. */
  @Test
  void t06_t10_a_steer_that_the_turn_would_not_have_is_ours_again_when_the_turn_is_over() {
    String late = refusal("steer:" + STEER, -32600, "no active turn to steer");
    AgentEvent ours = new AgentEvent.SteerNotTaken(STEER, "the turn was over or takes no steers");
    assertThat(read(HELLO, THREAD, BEGUN, late)).doesNotContain(ours);
    assertThat(read(COMPLETED).getFirst()).isEqualTo(ours);
    assertThat(read(late)).containsExactly(ours);
    assertThat(read(COMPLETED)).doesNotContain(ours);
  }

  /** Seen to fail when CodexProtocol.notTaken gives back what can never be taken. */
  @Test
  void t20_a_steer_that_it_can_never_take_is_refused() {
    assertThat(
            read(HELLO, THREAD, BEGUN, refusal("steer:" + STEER, -32602, "Input is too long"))
                .getLast())
        .isEqualTo(new AgentEvent.SteerRefused(STEER, "Input is too long"));
  }

  @Test
  void an_interrupted_turn_is_over_when_its_commands_are_ended() {
    read(HELLO, THREAD, BEGUN);
    assertThat(protocol.interrupt().getFirst())
        .contains("turn/interrupt", "\"threadId\":\"t-1\"", "\"turnId\":\"u-1\"");
    replies.clear();
    assertThat(read(INTERRUPTED)).isEmpty();
    assertThat(replies.getFirst()).contains("thread/backgroundTerminals/clean");
    AgentEvent over = new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "interrupted", "");
    assertThat(read("{\"id\":\"clean\",\"result\":{}}")).containsExactly(over);
    assertThat(read("{\"id\":\"clean\",\"result\":{}}")).isEmpty();
    assertThat(read(INTERRUPTED, refusal("clean", -32600, "not offered"))).containsExactly(over);
  }

  @Test
  void a_barrier_is_a_steer_that_is_always_refused() {
    read(HELLO, THREAD, BEGUN);
    assertThat(protocol.barrier("x:1").getFirst())
        .contains("turn/steer", "\"expectedTurnId\":\"barrier:x:1\"");
    assertThat(read(refusal("barrier:x:1", -32600, "expected active turn id")))
        .containsExactly(new AgentEvent.BarrierPassed("x:1"));
  }

  @Test
  void tokens_are_differences_and_a_resumed_thread_starts_from_what_it_had() {
    assertThat(read(HELLO, THREAD, BEGUN, used(10, 1, 10, 1), used(30, 3, 20, 2)))
        .endsWith(
            new AgentEvent.Used(new Usage(10, 1, 0)), new AgentEvent.Used(new Usage(20, 2, 0)));
    assertThat(read(used(30, 3, 20, 2))).isEmpty();

    protocol = new CodexProtocol(CALLS, CodexMemo.FRESH);
    assertThat(read(HELLO, THREAD, BEGUN, used(500, 50, 20, 2)).getLast())
        .isEqualTo(new AgentEvent.Used(new Usage(20, 2, 0)));

    protocol = new CodexProtocol(CALLS, CodexMemo.FRESH);
    assertThat(read(HELLO, THREAD, used(500, 50, 20, 2), BEGUN, used(510, 51, 10, 1)).getLast())
        .isEqualTo(new AgentEvent.Used(new Usage(10, 1, 0)));
  }

  /** Seen to fail when the request is shown without the item that it names. */
  @Test
  void a_change_of_files_is_asked_for_with_its_paths_and_changes() {
    String item =
        """
        {"method":"item/started","params":{"threadId":"t-1","turnId":"u-1","item":{"type":"fileChange",\
        "id":"i-7","changes":[{"path":"/w/a.txt","kind":{"type":"update"},"diff":"-one\\n+two"}]}}}\
        """;
    String request =
        """
        {"method":"item/fileChange/requestApproval","id":0,"params":{"threadId":"t-1","itemId":"i-7",\
        "reason":"outside of the workspace"}}\
        """;
    read(HELLO, THREAD, BEGUN);
    protocol.read(item);
    assertThat(asked(request).detail())
        .isEqualTo(
            """
            reason
              │ outside of the workspace
            changes[0].path
              │ /w/a.txt
            changes[0].kind.type
              │ update
            changes[0].diff
              │ -one
              │ +two\
            """);
    protocol = new CodexProtocol(CALLS, CodexMemo.read(protocol.memo()));
    assertThat(asked(request).detail()).contains("changes\n  │ not known, because the hub");
  }

  private AgentEvent.Asked asked(String request) {
    return (AgentEvent.Asked) protocol.read(request).events().getFirst();
  }

  @Test
  void a_command_is_asked_for_and_answered_under_its_own_id() {
    String request =
        """
        {"method":"item/commandExecution/requestApproval","id":0,"params":{"threadId":"t-1",\
        "command":"/bin/bash -lc 'echo b'","commandActions":[{"type":"unknown","command":"echo b"}]}}\
        """;
    assertThat(read(HELLO, THREAD, BEGUN, request).getLast())
        .isInstanceOfSatisfying(
            AgentEvent.Asked.class,
            asked -> {
              assertThat(asked.ask()).isEqualTo("2.0");
              assertThat(asked.kind()).isEqualTo(AskKind.PERMISSION);
              assertThat(asked.question()).isEqualTo("Run: echo b");
              assertThat(asked.detail()).isEqualTo("command\n  │ /bin/bash -lc 'echo b'");
            });
    assertThat(protocol.answer("2.0", new AskAnswer.Allow()))
        .containsExactly("{\"id\":0,\"result\":{\"decision\":\"accept\"}}");
    assertThat(protocol.answer("2.0", new AskAnswer.Words("yes, but")))
        .first()
        .asString()
        .contains("decline");
    assertThat(protocol.answer("1.0", new AskAnswer.Allow())).isEmpty();
    assertThat(read("{\"method\":\"serverRequest/resolved\",\"params\":{\"requestId\":0}}"))
        .containsExactly(new AgentEvent.AskClosed("2.0", "the agent no longer asks for it"));
  }

  @Test
  void questions_are_answered_in_words_and_more_permissions_as_they_were_wanted() {
    read(
        HELLO,
        THREAD,
        """
        {"method":"item/tool/requestUserInput","id":1,"params":{"threadId":"t-1",\
        "questions":[{"id":"q1","question":"Which?"},{"id":"q2","question":"Why?"}]}}\
        """,
        """
        {"method":"item/permissions/requestApproval","id":2,"params":{"threadId":"t-1",\
        "permissions":{"network":{"enabled":true}}}}\
        """);
    assertThat(protocol.answer("2.1", new AskAnswer.Words("the first")).getFirst())
        .contains("\"q1\":{\"answers\":[\"the first\"]}", "\"q2\":{\"answers\":[\"the first\"]}");
    assertThat(protocol.answer("2.2", new AskAnswer.Allow()).getFirst())
        .contains("{\"permissions\":{\"network\":{\"enabled\":true}}}");
    assertThat(protocol.answer("2.2", new AskAnswer.Deny("no")).getFirst())
        .contains("{\"permissions\":{}}");
  }

  @Test
  void an_unsupported_request_to_the_client_is_refused_at_once() {
    read(HELLO, THREAD);
    replies.clear();
    read("{\"method\":\"attestation/generate\",\"id\":5,\"params\":{}}");
    assertThat(replies).singleElement().asString().contains("\"id\":5", "error");
  }

  @Test
  void tools_are_reported_as_the_model_wrote_them() {
    String item =
        """
        "item":{"type":"commandExecution","id":"c","command":"/bin/bash -lc 'make test'",\
        "commandActions":[{"type":"unknown","command":"make test"}],"status":"%s",\
        "aggregatedOutput":"%s","exitCode":2}\
        """;
    assertThat(
            read(
                HELLO,
                THREAD,
                BEGUN,
                notification("item/started", item.formatted("inProgress", "")),
                notification(
                    "item/commandExecution/outputDelta",
                    "\"itemId\":\"c\",\"delta\":\"one\\ntwo\\n\""),
                notification("item/completed", item.formatted("failed", ""))))
        .endsWith(
            new AgentEvent.ToolStarted("c", "shell", "make test", Optional.empty()),
            new AgentEvent.ToolOutput("c", "two"),
            new AgentEvent.ToolFinished("c", false, "exit 2"));
  }

  /** Seen to fail when CodexProtocol.onNotification does not compare the thread. */
  @Test
  void t25_what_other_threads_do_is_not_reported() {
    assertThat(read(HELLO, THREAD, BEGUN)).isNotEmpty();
    assertThat(
            read(
                said("x").replace("t-1", "t-7"),
                COMPLETED.replace("t-1", "t-7"),
                BEGUN.replace("t-1", "t-7")))
        .isEmpty();
  }

  @Test
  void a_model_that_fails_is_waited_for_and_then_the_reason() {
    String error = "\"error\":{\"message\":\"Reconnecting\",\"additionalDetails\":\"status 500\"}";
    assertThat(
            read(
                HELLO,
                THREAD,
                BEGUN,
                notification("error", error + ",\"willRetry\":true"),
                notification("error", error + ",\"willRetry\":false"),
                notification(
                    "turn/completed",
                    "\"turn\":{\"status\":\"failed\",\"error\":{\"message\":\"status 500\"}}")))
        .endsWith(
            new AgentEvent.Waiting("Reconnecting status 500"),
            new AgentEvent.TurnEnded(TurnEnd.ERROR, "status 500", ""));
    assertThat(read(refusal("prompt:2", -32600, "no model")))
        .containsExactly(new AgentEvent.TurnEnded(TurnEnd.ERROR, "no model", ""));
  }
}
