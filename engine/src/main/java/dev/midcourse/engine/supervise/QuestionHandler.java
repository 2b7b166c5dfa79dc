package dev.midcourse.engine.supervise;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.attempt.StoredText;
import dev.midcourse.engine.attempt.SupervisorMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Owns the open questions of one attempt: records them, writes answers to the agent, and denies a
 * question that no person has answered in time.
 */
final class QuestionHandler {
  /** How long a denial waits for an agent that does not read its input. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  private final AttemptContext context;
  private final AttemptUnitOfWork unitOfWork;
  private final Map<String, Ask> open = new HashMap<>();
  private Instant denyFrom = Instant.MIN;

  QuestionHandler(AttemptContext context, Collection<Ask> openAsks) {
    this.context = context;
    this.unitOfWork = context.unitOfWork();
    openAsks.forEach(ask -> open.put(ask.id(), ask));
  }

  boolean hasOpen() {
    return !open.isEmpty();
  }

  /** The agent asks. */
  void asked(AgentEvent.Asked it, Instant now) {
    Ask ask =
        new Ask(
            unitOfWork.run().id(),
            unitOfWork.attemptNumber(),
            it.ask(),
            it.kind(),
            StoredText.cut(it.question()),
            StoredText.cut(it.detail()),
            now,
            Optional.empty(),
            Optional.empty());
    open.put(ask.id(), ask);
    unitOfWork.change(ask);
    unitOfWork.change(
        new RunChange.Needs(
            unitOfWork.attemptNumber(), Optional.of(new Need.Answer(ask.kind())), now));
    unitOfWork.append(
        new RunEvent.Asked(
            unitOfWork.attemptNumber(), ask.id(), ask.kind(), ask.question(), ask.detail()));
  }

  /** The agent takes its question back. */
  void closed(AgentEvent.AskClosed it, Instant now) {
    Optional.ofNullable(open.get(it.ask()))
        .ifPresent(ask -> {
          close(ask.closed(it.how(), now));
          unitOfWork.append(new RunEvent.AskClosed(unitOfWork.attemptNumber(), ask.id(), it.how()));
        });
  }

  /** The turn has ended, and its questions with it. */
  void closeAll(Instant now) {
    openAsks().forEach(ask -> close(ask.closed("the turn ended", now)));
  }

  /** Denies every question that no person has answered in time. */
  void denyOverdue() {
    Instant now = unitOfWork.now();
    for (Ask ask : openAsks()) {
      if (!now.isBefore(deadline(ask))) {
        answer(ask, new AskAnswer.Deny("no answer in time"), Author.person("timeout"));
      }
    }
  }

  /** When the next denials are due. */
  Stream<Instant> wakeAt() {
    return open.values().stream().map(this::deadline);
  }

  /** Writes the answer of a person to the agent. The person is told when that is durable. */
  void reply(SupervisorMessage.AnswerQuestion reply) {
    Optional<Problem> refusal =
        Optional.ofNullable(open.get(reply.ask()))
            .map(ask -> answer(ask, reply.answer(), reply.by()))
            .orElseGet(() -> Optional.of(notOpen("there is no open question " + reply.ask())));
    if (refusal.isPresent()) {
      reply.done().completeExceptionally(refusal.get().refused());
      return;
    }
    context
        .committer()
        .commit(
            unitOfWork,
            failure ->
                failure.ifPresentOrElse(
                    reply.done()::completeExceptionally, () -> reply.done().complete(null)));
  }

  /** Closes the question only when the answer was written. Else returns the reason. */
  private Optional<Problem> answer(Ask ask, AskAnswer answer, Author by) {
    return switch (context.agent().answer(ask.id(), answer)) {
      case WRITTEN -> {
        String words = answer.text();
        close(ask.closed(words, unitOfWork.now()));
        unitOfWork.append(
            new RunEvent.AskAnswered(unitOfWork.attemptNumber(), ask.id(), words, by));
        context.state().activity().restart(unitOfWork.now());
        yield Optional.empty();
      }
      case INPUT_FULL -> {
        denyFrom = unitOfWork.now().plus(RETRY_DELAY);
        yield Optional.of(
            Problem.of(
                Code.UNAVAILABLE,
                "ask",
                "an agent that reads",
                "the agent does not read its input now; its question is open, try again"));
      }
      case EXITED -> {
        denyFrom = unitOfWork.now().plus(RETRY_DELAY);
        yield Optional.of(notOpen("the agent has exited, so its question is closed"));
      }
      case UNSUPPORTED -> {
        String how = "the agent does not accept an answer to it";
        close(ask.closed(how, unitOfWork.now()));
        unitOfWork.append(new RunEvent.AskClosed(unitOfWork.attemptNumber(), ask.id(), how));
        yield Optional.of(notOpen(how));
      }
    };
  }

  private void close(Ask closed) {
    open.remove(closed.id());
    unitOfWork.change(closed);
    if (open.isEmpty()) {
      unitOfWork.change(
          new RunChange.Needs(unitOfWork.attemptNumber(), Optional.empty(), unitOfWork.now()));
    }
  }

  private List<Ask> openAsks() {
    return List.copyOf(open.values());
  }

  private Instant deadline(Ask ask) {
    Instant end = ask.askedAt().plus(context.settings().askTimeout());
    return end.isBefore(denyFrom) ? denyFrom : end;
  }

  private static Problem notOpen(String why) {
    return Problem.of(Code.NOT_FOUND, "ask", "an open ask", why);
  }
}
