package dev.midcourse.core.loop.step;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.Parking;
import dev.midcourse.core.loop.PromptVersion;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.FindingList;
import dev.midcourse.core.loop.forge.ForgeAct;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A copy of a loop whose fields can be set, with the acts and the news of one step. */
final class LoopEditor {
  private static final String LOOP_ENDED = "the loop has ended";

  final Loop from;
  final Instant now;
  boolean land;
  List<PromptVersion> prompts;
  LoopBudget budget;
  LoopPhase phase;
  Optional<Parking> parking;
  Optional<String> base;
  Optional<String> head;
  final List<String> trees;
  final List<Integer> holding;
  Optional<LoopCheck> check;
  FindingList findings;
  final List<LoopCall> calls;
  final List<Guidance> guidance;
  Usage spent;
  final Optional<ForgeEditor> forge;
  String result;
  Optional<Instant> endedAt;

  private final List<LoopAct> acts = new ArrayList<>();
  private final List<String> news = new ArrayList<>();

  LoopEditor(Loop loop, Instant now) {
    this.from = loop;
    this.now = now;
    land = loop.land();
    prompts = loop.prompts();
    budget = loop.budget();
    phase = loop.phase();
    parking = loop.parking();
    base = loop.base();
    head = loop.head();
    trees = new ArrayList<>(loop.trees());
    holding = new ArrayList<>(loop.holding());
    check = loop.check();
    findings = loop.findings();
    calls = new ArrayList<>(loop.calls());
    guidance = new ArrayList<>(loop.guidance());
    spent = loop.spent();
    forge = loop.forge().map(ForgeEditor::new);
    result = loop.result();
    endedAt = loop.endedAt();
  }

  LoopChange change() {
    if (phase != from.phase()) {
      ChangeTexts.status(this).ifPresent(this::act);
    }
    return new LoopChange(loop(), acts, news);
  }

  /** The loop as it is now. */
  Loop loop() {
    return new Loop(
        from.id(),
        from.spec(),
        from.createdBy(),
        from.createdAt(),
        land,
        prompts,
        budget,
        phase,
        parking,
        base,
        head,
        trees,
        holding,
        check,
        findings,
        calls,
        guidance,
        spent,
        forge.map(ForgeEditor::state),
        result,
        endedAt);
  }

  void act(LoopAct act) {
    acts.add(act);
  }

  /** The change at the forge. Only for a loop that uses one. */
  ForgeEditor remote() {
    return forge.orElseThrow();
  }

  /** Whether something was changed since the step began. */
  boolean isChanged() {
    return !acts.isEmpty() || !news.isEmpty() || !loop().equals(from);
  }

  /** Orders an act at the forge, and waits for its result. */
  void write(String key, ForgeAct act) {
    if (!remote().awaited.contains(key)) {
      remote().awaited.add(key);
    }
    act(new LoopAct.Write(key, act));
  }

  void tell(String sentence) {
    news.add(sentence);
  }

  void enter(LoopPhase next) {
    phase = next;
    parking = Optional.empty();
    endedAt = Optional.empty();
    result = "";
  }

  void park(ParkReason reason, String question, LoopPhase resume) {
    phase = LoopPhase.PARKED;
    parking = Optional.of(new Parking(reason, question, resume, now));
    tell("parked (" + reason.wire() + "): " + question);
  }

  void end(LoopPhase how, String sentence) {
    phase = how;
    parking = Optional.empty();
    endedAt = Optional.of(now);
    result = sentence;
    for (int i = 0; i < guidance.size(); i++) {
      if (guidance.get(i).isHeld()) {
        guidance.set(i, guidance.get(i).endedBecause(LOOP_ENDED));
      }
    }
    tell(how.wire() + ": " + sentence);
    act(new LoopAct.Release());
  }

  /** Creates a call, which takes the guidance that is held for it. */
  void openCall(CallKind kind, Optional<String> commit, String prompt, List<FindingId> given) {
    int number = calls.size() + 1;
    RunId run = RunId.of(from.id() + "-" + number + "-" + kind.wire());
    calls.add(
        new LoopCall(
            number,
            kind,
            check.map(LoopCheck::round).orElse(0),
            run,
            commit,
            prompts.getLast().number(),
            prompt,
            given,
            now,
            Optional.empty(),
            false,
            ""));
    bindGuidance(kind, number);
    act(new LoopAct.StartCall(number));
    tell("started " + calls.getLast().title() + " as run " + run);
  }

  private void bindGuidance(CallKind kind, int number) {
    for (int i = 0; i < guidance.size(); i++) {
      Guidance it = guidance.get(i);
      if (it.isHeld() && it.scope().takes(kind)) {
        guidance.set(i, it.boundTo(number, steerOf(it, number)));
      }
    }
  }

  /** The id of the steer that carries guidance into the run of a call: the same on every try. */
  static SteerId steerOf(Guidance guidance, int call) {
    byte[] name = (guidance.id() + "/" + call).getBytes(StandardCharsets.UTF_8);
    return SteerId.of(UUID.nameUUIDFromBytes(name).toString());
  }

  void bind(int index, int call) {
    Guidance it = guidance.get(index);
    guidance.set(index, it.boundTo(call, steerOf(it, call)));
  }

  /**
   * Lets the guidance wait again that a call has taken, and whose steer its agent never got. In a
   * loop that has ended it is ended. Returns whether there is any.
   */
  boolean unbind(int call, Set<SteerId> notOffered) {
    boolean any = false;
    for (int i = 0; i < guidance.size(); i++) {
      boolean affected =
          guidance.get(i).bindings().stream()
              .anyMatch(it -> it.call() == call && notOffered.contains(it.steer()));
      if (affected) {
        any = true;
        Guidance unbound = guidance.get(i).unboundFrom(call);
        guidance.set(i, phase.hasEnded() ? unbound.endedBecause(LOOP_ENDED) : unbound);
      }
    }
    return any;
  }

  void closeCall(LoopCall call, String what) {
    calls.set(call.number() - 1, call.ended(now, what));
  }

  /** Ends the runs of all open calls because of a person. */
  void cutOpenCalls(String why) {
    for (LoopCall call : List.copyOf(calls)) {
      if (call.isOpen()) {
        cutCall(call, why);
      }
    }
  }

  void cutCall(LoopCall call, String why) {
    calls.set(call.number() - 1, call.cut(now, why));
    act(new LoopAct.EndRun(call.run()));
  }

  /** Why no further call may begin; empty if one may. */
  Optional<String> spentTotal() {
    long tokens = spent.inputTokens() + spent.outputTokens();
    if (budget.microDollars().filter(limit -> spent.microDollars() >= limit).isPresent()) {
      return Optional.of("the money is used up");
    }
    if (budget.tokens().filter(limit -> tokens >= limit).isPresent()) {
      return Optional.of("the tokens are used up");
    }
    return budget
        .time()
        .filter(limit -> !now.isBefore(from.createdAt().plus(limit)))
        .map(_ -> "the time is used up");
  }

  static String shortened(String commit) {
    return commit.length() > 10 ? commit.substring(0, 10) : commit;
  }
}
