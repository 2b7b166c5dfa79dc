package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.context.EngineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Watches over an agent's silence and over what it asks; every decision is an event. */
final class StallMonitor {
  /** How long a denial waits for an agent that does not read its input. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final AttemptUnitOfWork unitOfWork;
  private final AgentEventHandler eventHandler;
  private final ActivityTracker signs;
  private final Agent agent;
  private final EngineSettings settings;
  private boolean quiet;
  private Instant denyFrom = Instant.MIN;

  StallMonitor(
      AttemptUnitOfWork unitOfWork,
      AgentEventHandler eventHandler,
      ActivityTracker signs,
      Agent agent,
      EngineSettings settings) {
    this.unitOfWork = unitOfWork;
    this.eventHandler = eventHandler;
    this.signs = signs;
    this.agent = agent;
    this.settings = settings;
  }

  /** Why the attempt should be given up, if it should. */
  Optional<String> look() {
    Instant now = unitOfWork.now();
    for (Ask ask : eventHandler.openAsks()) {
      if (!now.isBefore(patienceEnds(ask))) {
        answer(
            ask,
            new Agent.QuestionAnswer.Deny("nobody answered in time"),
            Author.person("timeout"));
      }
    }
    if (!watching()) {
      return Optional.empty();
    }
    return switch (settings.stallPolicy().look(signs.last(), signs.tool(), now)) {
      case StallPolicy.Finding.Fine _ -> {
        if (quiet) {
          quiet = false;
          unitOfWork.change(new RunChange.Needs(unitOfWork.attemptNumber(), Optional.empty(), now));
          unitOfWork.append(new RunEvent.QuietOver(unitOfWork.attemptNumber()));
        }
        yield Optional.empty();
      }
      case StallPolicy.Finding.Quiet(String reason, _) -> {
        if (!quiet) {
          quiet = true;
          unitOfWork.change(
              new RunChange.Needs(unitOfWork.attemptNumber(), Optional.of(new Need.Quiet()), now));
          unitOfWork.append(new RunEvent.Quiet(unitOfWork.attemptNumber(), reason));
        }
        yield Optional.empty();
      }
      case StallPolicy.Finding.Stuck(String reason) -> Optional.of("stuck: " + reason);
    };
  }

  /** When to look again although nothing happened. */
  Stream<Instant> wakeAt() {
    Stream<Instant> patience = eventHandler.openAsks().stream().map(this::patienceEnds);
    if (!watching()) {
      return patience;
    }
    Instant look =
        switch (settings.stallPolicy().look(signs.last(), signs.tool(), unitOfWork.now())) {
          case StallPolicy.Finding.Fine(Instant at) -> at;
          case StallPolicy.Finding.Quiet(_, Instant at) -> at;
          case StallPolicy.Finding.Stuck _ -> unitOfWork.now();
        };
    return Stream.concat(patience, Stream.of(look));
  }

  /** An agent that waits for us, or for a person, is not silent. */
  private boolean watching() {
    boolean settled = eventHandler.started() && eventHandler.turn() instanceof TurnState.Settled;
    boolean waitsForUs = settled && unitOfWork.inTransit().isEmpty();
    return !eventHandler.asking() && !waitsForUs;
  }

  private Instant patienceEnds(Ask ask) {
    Instant end = ask.askedAt().plus(settings.askPatience());
    return end.isBefore(denyFrom) ? denyFrom : end;
  }

  /** A person answers what is open under this name. */
  void reply(SupervisorMessage.Reply reply, SupervisorMailbox mailbox) {
    Optional<Problem> refusal =
        eventHandler
            .ask(reply.ask())
            .map(ask -> answer(ask, reply.answer(), reply.by()))
            .orElseGet(() -> Optional.of(notOpen("nothing open is called " + reply.ask())));
    if (refusal.isPresent()) {
      reply.done().completeExceptionally(refusal.get().refused());
      return;
    }
    mailbox.handIn(
        unitOfWork,
        failure ->
            failure.ifPresentOrElse(
                reply.done()::completeExceptionally, () -> reply.done().complete(null)));
  }

  /** Only what was written to the agent counts as answered; why it could not be, if so. */
  private Optional<Problem> answer(Ask ask, Agent.QuestionAnswer answer, Author by) {
    return switch (agent.answer(ask.id(), answer)) {
      case WRITTEN -> {
        String words = words(answer);
        eventHandler.closeAsk(ask.closed(words, unitOfWork.now()));
        unitOfWork.append(
            new RunEvent.AskAnswered(unitOfWork.attemptNumber(), ask.id(), words, by));
        signs.restart(unitOfWork.now());
        yield Optional.empty();
      }
      case INPUT_FULL -> {
        denyFrom = unitOfWork.now().plus(PAUSE);
        yield Optional.of(
            Problem.of(
                Code.UNAVAILABLE,
                "ask",
                "an agent that reads",
                "the agent does not read its input now; its question is open, try again"));
      }
      case EXITED -> {
        denyFrom = unitOfWork.now().plus(PAUSE);
        yield Optional.of(notOpen("the agent is gone, and its question with it"));
      }
      case UNSUPPORTED -> {
        String how = "the agent takes no answer to it";
        eventHandler.closeAsk(ask.closed(how, unitOfWork.now()));
        unitOfWork.append(new RunEvent.AskClosed(unitOfWork.attemptNumber(), ask.id(), how));
        yield Optional.of(notOpen(how));
      }
    };
  }

  private static String words(Agent.QuestionAnswer answer) {
    return switch (answer) {
      case Agent.QuestionAnswer.Allow() -> "allow";
      case Agent.QuestionAnswer.Deny(String why) -> "deny: " + why;
      case Agent.QuestionAnswer.Words(String text) -> text;
    };
  }

  private static Problem notOpen(String why) {
    return Problem.of(Code.NOT_FOUND, "ask", "an open ask", why);
  }
}
