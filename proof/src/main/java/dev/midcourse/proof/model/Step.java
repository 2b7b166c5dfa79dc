package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.ModelUsage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the model does with one request of the conversation. The factories below read as a script:
 * {@code Script.of(shell("make"), say("It builds."))}.
 */
public sealed interface Step {

  /** Answers with text and tool calls. */
  record Answer(List<Part> parts, ModelUsage usage) implements Step {
    public Answer {
      parts = List.copyOf(parts);
    }

    /** The same answer, with these figures in its usage. */
    public Answer using(ModelUsage figures) {
      return new Answer(parts, figures);
    }

    /** The same answer, with a sentence before whatever it does. */
    public Answer saying(String text) {
      return new Answer(
          Stream.concat(Stream.of(Part.Text.of(text)), parts.stream()).toList(), usage);
    }
  }

  /** Refuses with this HTTP status, for so many requests in a row. */
  record Fail(int status, int times, Optional<Duration> retryAfter) implements Step {
    public Fail {
      if (status < 400 || status > 599 || times < 1) {
        throw new IllegalArgumentException("a failure is a status of 4xx or 5xx, at least once");
      }
    }

    /** The same failure, so many times in a row. */
    public Fail times(int count) {
      return new Fail(status, count, retryAfter);
    }

    /** The same failure, asking the agent to come back after this time. */
    public Fail retryAfter(Duration wait) {
      return new Fail(status, times, Optional.of(wait));
    }
  }

  /** Takes the request and gives no answer; when the gate opens, cuts the connection. */
  record Hang(Gate gate) implements Step {}

  /** Sends these parts and ends the stream there, without the end of the message. */
  record Cut(List<Part> parts) implements Step {
    public Cut {
      parts = List.copyOf(parts);
    }
  }

  /** Waits before it does the next thing. */
  record Delayed(Duration delay, Step then) implements Step {}

  /** Waits for the gate before it does the next thing. */
  record Held(Gate gate, Step then) implements Step {}

  /** Answers with this text, which ends the turn. */
  static Answer say(String text) {
    return new Answer(List.of(Part.Text.of(text)), ModelUsage.SMALL);
  }

  /** Answers with this text in small pieces, one after the other. */
  static Answer say(String text, Pace pace) {
    return new Answer(List.of(new Part.Text(text, pace)), ModelUsage.SMALL);
  }

  /** Streams the first text, waits for the gate in the middle of the message, streams the rest. */
  static Answer sayAround(String before, Gate gate, String after) {
    return new Answer(
        List.of(Part.Text.of(before), new Part.Pause(gate), Part.Text.of(after)), ModelUsage.SMALL);
  }

  /** Calls the agent's shell tool; several commands are several calls in one answer. */
  static Answer shell(String... commands) {
    return call(Arrays.stream(commands).map(ToolCall.Shell::new).toArray(ToolCall[]::new));
  }

  /** Calls these tools, in one answer. */
  static Answer call(ToolCall... calls) {
    return new Answer(Arrays.stream(calls).<Part>map(Part.Call::new).toList(), ModelUsage.SMALL);
  }

  /** Refuses once with this HTTP status. */
  static Fail fail(int status) {
    return new Fail(status, 1, Optional.empty());
  }

  /** Gives no answer until the gate opens, and then cuts the connection. */
  static Hang hang(Gate gate) {
    return new Hang(gate);
  }

  /** Streams this text and ends the stream before the message is complete. */
  static Cut cutAfter(String text) {
    return new Cut(List.of(Part.Text.of(text)));
  }

  /** This step, after a delay. */
  default Step after(Duration delay) {
    return new Delayed(delay, this);
  }

  /** This step, once the gate is open. */
  default Step heldBy(Gate gate) {
    return new Held(gate, this);
  }
}
