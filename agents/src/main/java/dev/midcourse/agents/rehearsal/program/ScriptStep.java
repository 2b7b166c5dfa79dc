package dev.midcourse.agents.rehearsal.program;

import java.time.Duration;
import java.util.Optional;

/** One action of the rehearsal agent between two boundaries. */
public sealed interface ScriptStep {

  /** A shell command: {@code $ make test}, or {@code $ [timeout=120] make test}. */
  record Shell(String command, Optional<Duration> timeout) implements ScriptStep {}

  /** A permission question that blocks until it is answered: {@code ? push to main}. */
  record Permission(String question) implements ScriptStep {}

  /** A message of the agent, from the default plan. */
  record Say(String text) implements ScriptStep {}

  /** A misbehaviour, with a count for some: {@code ! hang}, {@code ! flood 1000}. */
  record Misbehave(Misbehaviour how, int count) implements ScriptStep {}
}
