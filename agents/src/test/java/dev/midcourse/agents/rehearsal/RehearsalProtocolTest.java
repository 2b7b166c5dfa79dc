package dev.midcourse.agents.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.Used;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RehearsalProtocolTest {
  private static final SteerId STEER = SteerId.of("00000000-0000-4000-8000-000000000001");

  /** One of everything the program says, as it says it. */
  private static final List<String> LINES =
      """
      {"type":"started","version":"0.1.0","session":"s-1"}
      {"type":"prompt_accepted","turn":1,"evidence":"held"}
      {"type":"prompt_injected","turn":1,"evidence":"in the session"}
      {"type":"turn_started","by_itself":false}
      {"type":"said","text":"I begin \\uD83D\\uDE80"}
      {"type":"tool_started","call":"call-1","name":"shell","summary":"make","timeout_seconds":120}
      {"type":"tool_output","call":"call-1","line":"ok"}
      {"type":"steer_accepted","steer_id":"00000000-0000-4000-8000-000000000001","evidence":"held"}
      {"type":"steer_not_taken","steer_id":"00000000-0000-4000-8000-000000000001","reason":"late"}
      {"type":"steer_refused","steer_id":"00000000-0000-4000-8000-000000000001","reason":"no"}
      {"type":"steer_given_back","steer_id":"00000000-0000-4000-8000-000000000001","given_back":true}
      {"type":"tool_finished","call":"call-1","ok":true,"summary":"exit status 0"}
      {"type":"usage","input_tokens":9,"output_tokens":5,"micro_dollars":102}
      not JSON at all
      ["not", "an", "object"]
      {"type":"steer_injected","steer_id":"00000000-0000-4000-8000-000000000001","evidence":"before 2"}
      {"type":"usage","input_tokens":9,"output_tokens":15,"micro_dollars":252}
      {"type":"asked","ask":"ask-1","kind":"permission","question":"push?","detail":""}
      {"type":"ask_closed","ask":"ask-1","how":"allowed"}
      {"type":"complaint","message":"what?"}
      {"type":"barrier_passed","name":"b"}
      {"type":"usage","input_tokens":13,"output_tokens":26,"micro_dollars":429}
      {"type":"turn_ended","how":"completed","reason":"","text":"done: 1 step"}
      """
          .lines()
          .toList();

  @Test
  void every_line_is_an_event_and_what_is_not_known_is_garbage() {
    List<AgentEvent> events = read(RehearsalProtocol.fresh(Capabilities.FULL), LINES);
    assertThat(events).hasSameSizeAs(LINES);
    assertThat(events.stream().filter(AgentEvent.Garbage.class::isInstance)).hasSize(3);
  }

  @Test
  void restored_from_its_memo_at_any_line_it_understands_the_rest_as_if_nothing_had_happened() {
    List<AgentEvent> whole = read(RehearsalProtocol.fresh(Capabilities.FULL), LINES);
    for (int cut = 0; cut <= LINES.size(); cut++) {
      Protocol before = RehearsalProtocol.fresh(Capabilities.FULL);
      List<AgentEvent> events = new ArrayList<>(read(before, LINES.subList(0, cut)));
      Protocol after = RehearsalProtocol.restore(Capabilities.FULL, before.memo());
      events.addAll(read(after, LINES.subList(cut, LINES.size())));
      assertThat(events).as("cut after line %d", cut).isEqualTo(whole);
    }
  }

  @Test
  void writing_changes_nothing_that_it_remembers() {
    Protocol protocol = RehearsalProtocol.fresh(Capabilities.FULL);
    read(protocol, LINES);
    String memo = protocol.memo();
    List<List<String>> written =
        List.of(
            protocol.prompt(2, "go"),
            protocol.steer(STEER, "left"),
            protocol.withdraw(STEER),
            protocol.interrupt(),
            protocol.answer("ask-1", new AskAnswer.Deny("no")),
            protocol.barrier("b"),
            protocol.endSession());
    assertThat(protocol.memo()).isEqualTo(memo);
    assertThat(written).allSatisfy(messages -> assertThat(messages).hasSize(1));
  }

  @Test
  void sums_are_reported_as_differences() {
    List<AgentEvent> events = read(RehearsalProtocol.fresh(Capabilities.FULL), LINES);
    assertThat(events.stream().filter(Used.class::isInstance).map(Used.class::cast))
        .containsExactly(
            new Used(new Usage(9, 5, 102)),
            new Used(new Usage(0, 10, 150)),
            new Used(new Usage(4, 11, 177)));
  }

  @Test
  void a_text_instead_of_allow_is_a_denial() {
    String message =
        RehearsalProtocol.fresh(Capabilities.FULL)
            .answer("ask-1", new AskAnswer.Words("yes, of course"))
            .getFirst();
    assertThat(ProtocolJson.object(message).orElseThrow().path("allow").asBoolean(true)).isFalse();
  }

  @Test
  void whatever_a_text_holds_it_stays_one_line() {
    String nasty = "a\nb\r\"\\\u2028\uD83D\uDE80\t{}";
    String message = RehearsalProtocol.fresh(Capabilities.FULL).steer(STEER, nasty).getFirst();
    assertThat(message).doesNotContain("\n");
    assertThat(ProtocolJson.text(ProtocolJson.object(message).orElseThrow(), "message"))
        .isEqualTo(nasty);
  }

  private static List<AgentEvent> read(Protocol protocol, List<String> lines) {
    return lines.stream().flatMap(line -> protocol.read(line).events().stream()).toList();
  }
}
