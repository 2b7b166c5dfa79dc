package dev.midcourse.agents.rehearsal.program;

import java.time.Duration;
import java.util.Optional;

/** One thing the rehearsal agent does between two boundaries. */
public sealed interface Step {

  /** A shell command: {@code $ make test}, or {@code $ [timeout=120] make test}. */
  record Shell(String command, Optional<Duration> timeout) implements Step {}

  /** A question that blocks until it is answered: {@code ? push to main}. */
  record Permission(String question) implements Step {}

  /** A sentence, from the default plan. */
  record Say(String text) implements Step {}

  /** {@code ! hang}, {@code ! flood 1000}. */
  record Misbehave(Mischief how, int count) implements Step {}
}
