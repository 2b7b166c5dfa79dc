package dev.midcourse.agents.stdio;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A definition for shell scripts that play an agent: {@code say X} is something said, {@code ask X}
 * wants {@code re X} written back and is told too, {@code quiet} means nothing, {@code throw}
 * breaks the codec, {@code hopeless X} says that it is unusable, {@code accepted X} answers for the
 * steer X. Its memo is how many messages it has read.
 *
 * @param keepsOrder whether steers may be written one right after the other
 */
record EchoAgentDefinition(List<String> words, Framing framing, boolean keepsOrder)
    implements StdioAgentDefinition {

  static EchoAgentDefinition of(String script) {
    return new EchoAgentDefinition(List.of("sh", "-c", script), Framing.LINES, true);
  }

  static EchoAgentDefinition thatMixesUp(String script) {
    return new EchoAgentDefinition(List.of("sh", "-c", script), Framing.LINES, false);
  }

  @Override
  public ProgramLookup find() {
    return new ProgramLookup.Missing("parrot", "it is a shell script of a test");
  }

  @Override
  public AgentCommand command(AttemptSpec spec) {
    return new AgentCommand(words, Map.of());
  }

  @Override
  public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
    return new Codec(memo.map(Integer::parseInt).orElse(0), keepsOrder);
  }

  private static final class Codec implements Protocol {
    private final boolean keepsOrder;
    private int read;

    Codec(int read, boolean keepsOrder) {
      this.read = read;
      this.keepsOrder = keepsOrder;
    }

    @Override
    public boolean keepsOrder() {
      return keepsOrder;
    }

    @Override
    public List<String> hello() {
      return List.of("hello");
    }

    @Override
    public ProtocolOutput read(String message) {
      read++;
      String rest = message.substring(message.indexOf(' ') + 1);
      if (message.startsWith("say ")) {
        return ProtocolOutput.of(new AgentEvent.Said(read + " " + rest));
      }
      if (message.startsWith("ask ")) {
        return new ProtocolOutput(
            List.of(new AgentEvent.Said(read + " asks " + rest)), List.of("re " + rest));
      }
      if (message.startsWith("accepted ")) {
        return ProtocolOutput.of(new AgentEvent.SteerAccepted(SteerId.of(rest), "its word"));
      }
      if (message.startsWith("hopeless ")) {
        return ProtocolOutput.fatal(rest);
      }
      if (message.equals("throw")) {
        throw new IllegalStateException("a broken codec");
      }
      return message.equals("quiet") ? ProtocolOutput.NONE : ProtocolOutput.garbage(message);
    }

    @Override
    public List<String> prompt(int turn, String message) {
      return List.of("prompt", message);
    }

    @Override
    public List<String> steer(SteerId steer, String message) {
      return List.of(message);
    }

    @Override
    public String memo() {
      return Integer.toString(read);
    }
  }
}
