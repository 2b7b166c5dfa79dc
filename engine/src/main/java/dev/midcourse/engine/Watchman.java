package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Turn;
import dev.midcourse.core.watch.Vigil;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Watches over an agent's silence and over what it asks; every decision is an event. */
final class Watchman {
  private final Desk desk;
  private final Hearing hearing;
  private final Signs signs;
  private final Agent agent;
  private final EngineSettings settings;
  private boolean quiet;

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
          desk.change(new RunChange.Needs(desk.number(), Optional.of("quiet"), now));
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
    return ask.askedAt().plus(settings.askPatience());
  }

  /** A person answers what is open under this name. */
  void reply(Letter.Reply reply, Slot slot) {
    Optional<Ask> ask = hearing.ask(reply.ask());
    if (ask.isEmpty()) {
      Problem problem =
          Problem.of(Code.NOT_FOUND, "ask", "an open ask", "nothing open is called " + reply.ask());
      reply.done().completeExceptionally(problem.refused());
      return;
    }
    answer(ask.get(), reply.answer(), reply.by());
    slot.handIn(
        desk,
        failure ->
            failure.ifPresentOrElse(
                reply.done()::completeExceptionally, () -> reply.done().complete(null)));
  }

  private void answer(Ask ask, Agent.Answer answer, Author by) {
    String words =
        switch (answer) {
          case Agent.Answer.Allow() -> "allow";
          case Agent.Answer.Deny(String why) -> "deny: " + why;
          case Agent.Answer.Words(String text) -> text;
        };
    agent.answer(ask.id(), answer);
    hearing.closeAsk(ask.closed(words, desk.now()));
    desk.note(new RunEvent.AskAnswered(desk.number(), ask.id(), words, by));
    signs.restart(desk.now());
  }
}
