package dev.midcourse.agents.command;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The protocol of the shell that calls the program. Its lines stand between the output lines of the
 * program. The exit status decides whether a turn succeeded, because the program gives no other
 * sign.
 */
final class CommandProtocol implements Protocol {
  /** A running call accepts no further input, so steers and interrupts are not possible. */
  static final Capabilities CAPABILITIES =
      Capabilities.of(Capability.ACCEPTED_EVIDENCE, Capability.INJECTED_EVIDENCE);

  private final String sign;
  private int turn;
  private final TextTail output = new TextTail();

  CommandProtocol(String mark, CommandMemo memo) {
    this.sign = "\u001e" + mark + " ";
    this.turn = memo.turn();
    this.output.add(memo.output());
  }

  @Override
  public String memo() {
    return new CommandMemo(turn, output.text()).write();
  }

  @Override
  public List<String> prompt(int turn, String message) {
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    return List.of(turn + " " + Base64.getEncoder().encodeToString(bytes));
  }

  /** The last line of a program may have no line break; then the sign follows in the same line. */
  @Override
  public ProtocolOutput read(String line) {
    int at = line.indexOf(sign);
    List<AgentEvent> events = new ArrayList<>(said(at < 0 ? line : line.substring(0, at)));
    if (at >= 0) {
      events.addAll(markerEvents(line.substring(at + sign.length()).split(" ", -1)));
    }
    return new ProtocolOutput(events, List.of());
  }

  private List<AgentEvent> said(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    output.add(line);
    return List.of(new AgentEvent.Said(line));
  }

  private List<AgentEvent> markerEvents(String... words) {
    return switch (words[0]) {
      case "ready" ->
          List.of(
              new AgentEvent.Started(
                  ProgramVersion.UNKNOWN.text(), CAPABILITIES, Optional.empty()));
      case "begin" -> {
        turn = Integer.parseInt(words[1]);
        output.clear();
        String evidence = "it is called with it";
        yield List.of(
            new AgentEvent.PromptAccepted(turn, evidence),
            new AgentEvent.TurnStarted(false),
            new AgentEvent.PromptInjected(turn, evidence));
      }
      case "end" -> List.of(ended(words[2]));
      default -> List.of();
    };
  }

  private AgentEvent ended(String status) {
    String written = output.text();
    turn = 0;
    output.clear();
    if (status.equals("0")) {
      return new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "exit status 0", written);
    }
    String last = written.lines().reduce("", (_, line) -> line);
    String why = "exit status " + status + (last.isEmpty() ? "" : ": " + last);
    return new AgentEvent.TurnEnded(TurnEnd.ERROR, why, "");
  }
}
