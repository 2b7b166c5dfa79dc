package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Turn;
import dev.midcourse.core.watch.Vigil;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Watches over an agent's silence and over what it asks; every decision is an event. */
final class Watchman {
  /** How long a denial waits for an agent that does not read its input. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Desk desk;
  private final Hearing hearing;
  private final Signs signs;
  private final Agent agent;
  private final EngineSettings settings;
  private boolean quiet;
  private Instant denyFrom = Instant.MIN;

  Watchman(Desk desk, Hearing hearing, Signs signs, Agent agent, EngineSettings settings) {
    this.desk = desk;
    this.hearing = hearing;
    this.signs = signs;
    this.agent = agent;
    this.settings = settings;
  }

  /** Why the attempt should be given up, if it should. */
  Optional<String> look() {
    Instant now = desk.now();
    for (Ask ask : hearing.openAsks()) {
      if (!now.isBefore(patienceEnds(ask))) {
        answer(ask, new Agent.Answer.Deny("nobody answered in time"), Author.person("timeout"));
      }
    }
    if (!watching()) {
      return Optional.empty();
    }
    return switch (settings.vigil().look(signs.last(), signs.tool(), now)) {
      case Vigil.Finding.Fine _ -> {
        if (quiet) {
          quiet = false;
          desk.change(new RunChange.Needs(desk.number(), Optional.empty(), now));
          desk.note(new RunEvent.QuietOver(desk.number()));
        }
        yield Optional.empty();
      }
      case Vigil.Finding.Quiet(String reason, _) -> {
        if (!quiet) {
          quiet = true;
          desk.change(new RunChange.Needs(desk.number(), Optional.of(new Need.Quiet()), now));
          desk.note(new RunEvent.Quiet(desk.number(), reason));
        }
        yield Optional.empty();
      }
      case Vigil.Finding.Stuck(String reason) -> Optional.of("stuck: " + reason);
    };
  }

  /** When to look again although nothing happened. */
  Stream<Instant> wakeAt() {
    Stream<Instant> patience = hearing.openAsks().stream().map(this::patienceEnds);
    if (!watching()) {
      return patience;
    }
    Instant look =
        switch (settings.vigil().look(signs.last(), signs.tool(), desk.now())) {
          case Vigil.Finding.Fine(Instant at) -> at;
          case Vigil.Finding.Quiet(_, Instant at) -> at;
          case Vigil.Finding.Stuck _ -> desk.now();
        };
    return Stream.concat(patience, Stream.of(look));
  }

  /** An agent that waits for us, or for a person, is not silent. */
  private boolean watching() {
    boolean settled = hearing.started() && hearing.turn() instanceof Turn.Settled;
    boolean waitsForUs = settled && desk.inTransit().isEmpty();
    return !hearing.asking() && !waitsForUs;
  }

  private Instant patienceEnds(Ask ask) {
    Instant end = ask.askedAt().plus(settings.askPatience());
    return end.isBefore(denyFrom) ? denyFrom : end;
  }

  /** A person answers what is open under this name. */
  void reply(Letter.Reply reply, Slot slot) {
    Optional<Problem> refusal =
        hearing
            .ask(reply.ask())
            .map(ask -> answer(ask, reply.answer(), reply.by()))
            .orElseGet(() -> Optional.of(notOpen("nothing open is called " + reply.ask())));
    if (refusal.isPresent()) {
      reply.done().completeExceptionally(refusal.get().refused());
      return;
    }
    slot.handIn(
        desk,
        failure ->
            failure.ifPresentOrElse(
                reply.done()::completeExceptionally, () -> reply.done().complete(null)));
  }

  /** Only what was written to the agent counts as answered; why it could not be, if so. */
  private Optional<Problem> answer(Ask ask, Agent.Answer answer, Author by) {
    return switch (agent.answer(ask.id(), answer)) {
      case WRITTEN -> {
        String words = words(answer);
        hearing.closeAsk(ask.closed(words, desk.now()));
        desk.note(new RunEvent.AskAnswered(desk.number(), ask.id(), words, by));
        signs.restart(desk.now());
        yield Optional.empty();
      }
      case CLOGGED -> {
        denyFrom = desk.now().plus(PAUSE);
        yield Optional.of(
            Problem.of(
                Code.UNAVAILABLE,
                "ask",
                "an agent that reads",
                "the agent does not read its input now; its question is open, try again"));
      }
      case GONE -> {
        denyFrom = desk.now().plus(PAUSE);
        yield Optional.of(notOpen("the agent is gone, and its question with it"));
      }
      case UNSUPPORTED -> {
        String how = "the agent takes no answer to it";
        hearing.closeAsk(ask.closed(how, desk.now()));
        desk.note(new RunEvent.AskClosed(desk.number(), ask.id(), how));
        yield Optional.of(notOpen(how));
      }
    };
  }

  private static String words(Agent.Answer answer) {
    return switch (answer) {
      case Agent.Answer.Allow() -> "allow";
      case Agent.Answer.Deny(String why) -> "deny: " + why;
      case Agent.Answer.Words(String text) -> text;
    };
  }

  private static Problem notOpen(String why) {
    return Problem.of(Code.NOT_FOUND, "ask", "an open ask", why);
  }
}
