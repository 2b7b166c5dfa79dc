package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.ModelUsage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The response of the model to one request of the conversation. The factories below read as a
 * script: {@code Script.of(shell("make"), say("It builds."))}.
 */
public sealed interface Step {

  /** Answers with text and tool calls. */
  record Answer(List<Part> parts, ModelUsage usage) implements Step {
    public Answer {
      parts = List.copyOf(parts);
    }

    /** Returns a copy with these token figures. */
    public Answer using(ModelUsage figures) {
      return new Answer(parts, figures);
    }

    /** Returns a copy with a sentence before its other parts. */
    public Answer saying(String text) {
      return new Answer(
          Stream.concat(Stream.of(Part.Text.of(text)), parts.stream()).toList(), usage);
    }
  }

  /** Refuses with this HTTP status, for this number of requests in a row. */
  record Fail(int status, int times, Optional<Duration> retryAfter) implements Step {
    public Fail {
      if (status < 400 || status > 599 || times < 1) {
        throw new IllegalArgumentException("a failure is a status of 4xx or 5xx, at least once");
      }
    }

    /** Returns a copy for this number of requests in a row. */
    public Fail times(int count) {
      return new Fail(status, count, retryAfter);
    }

    /** Returns a copy that asks the agent to retry after this time. */
    public Fail retryAfter(Duration wait) {
      return new Fail(status, times, Optional.of(wait));
    }
  }

  /** Accepts the request and does not answer; cuts the connection when the gate opens. */
  record Hang(Gate gate) implements Step {}

  /** Sends these parts and ends the stream without the end of the message. */
  record Cut(List<Part> parts) implements Step {
    public Cut {
      parts = List.copyOf(parts);
    }
  }

  /** Waits before the next step. */
  record Delayed(Duration delay, Step then) implements Step {}

  /** Waits for the gate before the next step. */
  record Held(Gate gate, Step then) implements Step {}

  /** Answers with this text, which ends the turn. */
  static Answer say(String text) {
    return new Answer(List.of(Part.Text.of(text)), ModelUsage.SMALL);
  }

  /** Answers with this text in small pieces. */
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

  /** Does not answer until the gate opens, and then cuts the connection. */
  static Hang hang(Gate gate) {
    return new Hang(gate);
  }

  /** Streams this text and ends the stream before the message is complete. */
  static Cut cutAfter(String text) {
    return new Cut(List.of(Part.Text.of(text)));
  }

  /** Returns this step after a delay. */
  default Step after(Duration delay) {
    return new Delayed(delay, this);
  }

  /** Returns this step with a wait for the gate before it. */
  default Step heldBy(Gate gate) {
    return new Held(gate, this);
  }
}
