package dev.midcourse.core.loop;

import dev.midcourse.core.Samples;
import dev.midcourse.core.Transition;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.forge.ReviewThread;
import dev.midcourse.core.loop.step.LoopAct;
import dev.midcourse.core.loop.step.LoopFact;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A loop at a forge whose state a test sets, and which does at once what it is asked. */
final class ForgeTrial {
  static final String US = "midcourse-bot";
  static final ForgeOrder ORDER =
      ForgeOrder.opening("github", "acme/shop", "https://forge.test/acme/shop.git");

  final LoopTrial trial;
  final List<ForgeAct> written = new ArrayList<>();
  final List<RemoteReview> reviews = new ArrayList<>();
  final List<ReviewThread> threads = new ArrayList<>();
  final List<RemoteComment> comments = new ArrayList<>();
  final List<RemoteCheck> checks = new ArrayList<>();
  final Set<String> requested = new HashSet<>();
  ChangeSnapshot.State state = ChangeSnapshot.State.OPEN;
  Mergeability mergeability = Mergeability.YES;
  String base = "main";
  String head = "";
  boolean draft;
  Optional<String> incomplete = Optional.empty();
  private int ids;

  ForgeTrial(LoopTrial trial) {
    this.trial = trial;
  }

  /** A loop whose first commit is at the forge. */
  static ForgeTrial checking(String reviewer) {
    return checking(reviewer, Optional.empty(), false);
  }

  static ForgeTrial checking(String reviewer, Optional<String> ci, boolean land) {
    ForgeTrial it = new ForgeTrial(LoopTrial.atForge(reviewer, ci, ORDER, land));
    it.prepared();
    it.trial.works();
    if (ci.isEmpty()) {
      it.settleActs();
    }
    return it;
  }

  ForgeTrial prepared() {
    trial.apply(new LoopFact.SignedIn(US, Optional.empty()));
    trial.prepared();
    return this;
  }

  /** Does what the newest step has ordered, and what follows from it. */
  ForgeTrial settleActs() {
    Deque<LoopAct> due = new ArrayDeque<>(trial.acts);
    while (!due.isEmpty()) {
      trial.acts = List.of();
      perform(due.poll());
      due.addAll(trial.acts);
    }
    trial.acts = List.of();
    return this;
  }

  private void perform(LoopAct act) {
    if (act instanceof LoopAct.Push(String commit)) {
      head = commit;
      trial.apply(new LoopFact.Pushed(commit));
    } else if (act instanceof LoopAct.Write(String key, ForgeAct write)) {
      written.add(write);
      done(write);
      if (trial.loop.forge().orElseThrow().awaited().contains(key)) {
        trial.apply(new LoopFact.ForgeWrote(key, write, new ForgeActResult.Done("7")));
      }
    }
  }

  private void done(ForgeAct write) {
    switch (write) {
      case ForgeAct.RequestReview it -> requested.add(it.reviewer());
      case ForgeAct.Reply it ->
          threads.replaceAll(thread ->
              thread.id().equals(it.thread()) ? withReply(thread, US, it.body()) : thread);
      case ForgeAct.Resolve it -> resolve(it.thread());
      case ForgeAct.Comment it -> comments.add(comment(US, true, it.body()));
      default -> {}
    }
  }

  // ---- what is at the forge

  private static ReviewThread withReply(ReviewThread thread, String author, String body) {
    List<RemoteComment> comments = new ArrayList<>(thread.comments());
    comments.add(
        new RemoteComment(
            thread.id() + "-" + comments.size(), author, author.equals(US), body, Samples.START));
    return new ReviewThread(
        thread.id(), thread.path(), thread.line(), thread.resolved(), thread.outdated(), comments);
  }

  void reply(String thread, String author, String body) {
    threads.replaceAll(it -> it.id().equals(thread) ? withReply(it, author, body) : it);
  }

  void resolve(String thread) {
    threads.replaceAll(it ->
        it.id().equals(thread)
            ? new ReviewThread(it.id(), it.path(), it.line(), true, it.outdated(), it.comments())
            : it);
  }

  ForgeTrial thread(String id, String author, String body, boolean outdated) {
    threads.add(
        new ReviewThread(
            id,
            Optional.of("src/App.java"),
            3,
            false,
            outdated,
            List.of(comment(author, author.endsWith("[bot]"), body))));
    return this;
  }

  RemoteComment comment(String author, boolean bot, String body) {
    return new RemoteComment("c" + ++ids, author, bot, body, trial.now);
  }

  ForgeTrial says(String author, boolean bot, String body) {
    comments.add(comment(author, bot, body));
    return this;
  }

  ForgeTrial review(
      String author, boolean bot, RemoteReview.State verdict, String about, String body) {
    Instant at = trial.now.plusSeconds(ids);
    reviews.add(new RemoteReview("r" + ++ids, author, bot, Optional.of(about), verdict, body, at));
    return this;
  }

  ForgeTrial approvedBy(String author) {
    requested.remove(author);
    return review(author, false, RemoteReview.State.APPROVED, head, "");
  }

  /** Another result of the check; the earlier ones of this name stay at the forge. */
  ForgeTrial check(String name, RemoteCheck.State result) {
    checks.add(new RemoteCheck("k" + ++ids, name, result, "said " + result, "", List.of()));
    return this;
  }

  ForgeTrial green() {
    return check("build", RemoteCheck.State.SUCCESS);
  }

  ChangeSnapshot snapshot() {
    return new ChangeSnapshot(
        new ChangeRef("7", "https://forge.test/acme/shop/pull/7"),
        state,
        head,
        base,
        draft,
        mergeability,
        requested,
        reviews,
        threads,
        comments,
        checks,
        incomplete);
  }

  /** The loop looks at the forge, and what it orders then is done. */
  ForgeTrial look() {
    LoopFact fact = new LoopFact.ForgeRead(snapshot(), trial.now);
    if (trial.attempt(fact) instanceof Transition.Changed<?>) {
      trial.apply(fact);
      settleActs();
    }
    return this;
  }

  /** The agent at work commits something new and answers every finding; it is pushed. */
  ForgeTrial works(String answer, String why) {
    trial.works(trial.answers(answer, why));
    return settleActs();
  }

  LoopPhase phase() {
    return trial.loop.phase();
  }

  <T extends ForgeAct> List<T> written(Class<T> kind) {
    return written.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
