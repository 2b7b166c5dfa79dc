package dev.midcourse.hub.api.operation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Run;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.json.Requests.Reply;
import dev.midcourse.hub.api.json.Views;
import java.util.List;
import java.util.Optional;

/** Operations on the questions of agents: list, answer. */
public final class QuestionOperations {
  private final HubContext context;
  private final AccessControl accessControl;
  private final AuthorizedLookup lookup;

  QuestionOperations(HubContext context, AuthorizedLookup lookup) {
    this.context = context;
    this.accessControl = context.permits();
    this.lookup = lookup;
  }

  /** Returns the questions of a run, open and closed. */
  public List<Ask> list(Caller caller, String run) {
    RunId id = lookup.visibleRun(caller, run).id();
    return context.engine().ledger().read(reading -> reading.asks(id));
  }

  /**
   * Answers a question of the run's agent; returns the question, closed. A text that is not an
   * answer to such a question is refused, and the question stays open.
   */
  public Ask answer(Caller caller, String run, String ask, Reply reply) {
    Run known = lookup.visibleRun(caller, run, "answer for");
    accessControl.require(caller, new Action.Answer(known.id(), known.spec().worker()));
    Ask asked = ask(known.id(), ask);
    AskAnswer answer = AskAnswer.parse(asked.kind(), reply.answer(), reply.why());
    context.engine().runs().answer(known.id(), ask, answer, caller.author());
    return ask(known.id(), ask);
  }

  /** Answers a question; without an id, the only open question of the run. */
  public Views.OneAsk answer(Caller caller, String run, Optional<String> ask, Reply reply) {
    return Views.OneAsk.of(answer(caller, run, ask.orElseGet(() -> onlyOpen(caller, run)), reply));
  }

  private String onlyOpen(Caller caller, String run) {
    List<String> open = list(caller, run).stream().filter(Ask::open).map(Ask::id).toList();
    if (open.size() == 1) {
      return open.getFirst();
    }
    throw Problem.of(
            open.isEmpty() ? Code.NOT_FOUND : Code.INVALID,
            "ask",
            open.isEmpty() ? "an open ask" : "one of: " + String.join(", ", open),
            "run " + run + " has " + (open.isEmpty() ? "no" : "several") + " open questions")
        .refused();
  }

  private Ask ask(RunId run, String ask) {
    return context
        .engine()
        .ledger()
        .read(reading -> reading.ask(run, ask))
        .orElseThrow(() ->
            Problem.of(Code.NOT_FOUND, "ask", "a question of the run", "there is no ask " + ask)
                .refused());
  }
}
