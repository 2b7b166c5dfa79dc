package dev.midcourse.autopilot;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeFeature;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A forge in memory, above a bare repository. It does what the interface promises: an act that was
 * done before is found. A test scripts its reviewer, its CI and its failures. Guarded by itself.
 */
final class ScriptedForge implements Forge {
  static final String US = "midcourse-bot";

  final Path repository;

  /** Is called with the head when a review was asked for. */
  BiConsumer<ScriptedForge, String> reviewer = (_, _) -> {};

  /** Is called with a head that the forge shows for the first time. */
  BiConsumer<ScriptedForge, String> ci =
      (forge, head) -> forge.check(head, "build", RemoteCheck.State.SUCCESS);

  /** Is called with each act, before it is done. */
  Consumer<ForgeAct> sent = _ -> {};

  Optional<ForgeError> failure = Optional.empty();

  /** Lets each act fail once before it is done, and once after it. */
  boolean killedAtEveryAct;

  int kills;
  int snapshots;
  String base = "main";
  ChangeSnapshot.State state = ChangeSnapshot.State.OPEN;
  Optional<ChangeRef> change = Optional.empty();
  final List<ForgeAct> done = new ArrayList<>();
  final List<RemoteComment> comments = new ArrayList<>();
  final List<ReviewThread> threads = new ArrayList<>();
  final List<RemoteReview> reviews = new ArrayList<>();
  final Map<String, List<RemoteCheck>> checks = new HashMap<>();
  private final Map<String, Integer> tries = new HashMap<>();
  private final Set<String> requested = new HashSet<>();
  private final Set<String> seen = new HashSet<>();
  private String branch = "";
  private boolean draft;
  private int ids;

  private final String number;

  ScriptedForge(Path repository) {
    this(repository, "7");
  }

  /** A forge whose only change has this number. */
  ScriptedForge(Path repository, String number) {
    this.repository = repository;
    this.number = number;
  }

  private String git(String arguments) {
    try {
      return AutopilotFixture.sh(repository, "git " + arguments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String tip(String name) {
    return git("rev-parse refs/heads/" + name);
  }

  synchronized int kills() {
    return kills;
  }

  synchronized int snapshots() {
    return snapshots;
  }

  synchronized void failsWith(Optional<ForgeError> error) {
    failure = error;
  }

  synchronized void becomes(ChangeSnapshot.State next) {
    state = next;
  }

  /** Somebody merges the change at its page. */
  synchronized void mergedBySomebody() {
    git("update-ref refs/heads/" + base + " " + tip(branch));
    state = ChangeSnapshot.State.MERGED;
  }

  synchronized void retargetedTo(String other) {
    base = other;
  }

  synchronized String base() {
    return base;
  }

  synchronized void check(String head, String name, RemoteCheck.State result) {
    checks
        .computeIfAbsent(head, _ -> new ArrayList<>())
        .add(new RemoteCheck("", name, result, "the end of its log", "", List.of()));
  }

  synchronized void review(String author, RemoteReview.State verdict, String head) {
    requested.remove(author);
    reviews.add(
        new RemoteReview(
            "r" + ++ids, author, false, Optional.of(head), verdict, "", Instant.now()));
  }

  synchronized void thread(String author, String text) {
    String id = "t" + ++ids;
    threads.add(
        new ReviewThread(
            id, Optional.of("app.txt"), 1, false, false, List.of(comment(author, text))));
  }

  synchronized RemoteComment comment(String author, String text) {
    return new RemoteComment("c" + ++ids, author, author.equals(US), text, Instant.now());
  }

  synchronized void say(String author, String text) {
    comments.add(comment(author, text));
  }

  synchronized <T extends ForgeAct> List<T> done(Class<T> kind) {
    return done.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** A change that somebody else has opened. */
  synchronized void opened(String name) {
    branch = name;
    change = Optional.of(new ChangeRef(number, "https://forge.test/" + number));
  }

  @Override
  public Set<ForgeFeature> features() {
    return EnumSet.allOf(ForgeFeature.class);
  }

  @Override
  public synchronized String signIn() throws ForgeException {
    fail();
    return US;
  }

  private void fail() throws ForgeException {
    if (failure.isPresent()) {
      throw new ForgeException(failure.get());
    }
  }

  @Override
  public synchronized Optional<ChangeRef> find(String name, String into) {
    return change.filter(_ -> branch.equals(name) && state == ChangeSnapshot.State.OPEN);
  }

  @Override
  public synchronized ChangeRef find(String number) throws ForgeException {
    return change
        .filter(it -> it.number().equals(number))
        .orElseThrow(() -> new ForgeException(new ForgeError.NotFound("no change " + number)));
  }

  @Override
  public synchronized ChangeSnapshot snapshot(ChangeRef ref) throws ForgeException {
    fail();
    snapshots++;
    String head = tip(branch);
    if (seen.add(head)) {
      ci.accept(this, head);
    }
    return new ChangeSnapshot(
        change.orElseThrow(),
        state,
        head,
        base,
        draft,
        Mergeability.YES,
        requested,
        reviews,
        threads,
        comments,
        checks.getOrDefault(head, List.of()),
        Optional.empty());
  }

  @Override
  public String log(String check, int maxCharacters) {
    return "";
  }

  @Override
  public synchronized ForgeActResult perform(ForgeAct act) {
    sent.accept(act);
    if (failure.isPresent()) {
      return new ForgeActResult.Refused(failure.get());
    }
    int count = tries.merge(act.toString(), 1, Integer::sum);
    if (killedAtEveryAct && count == 1) {
      throw killed();
    }
    ForgeActResult result = carryOut(act);
    if (killedAtEveryAct && count == 2) {
      throw killed();
    }
    return result;
  }

  private IllegalStateException killed() {
    kills++;
    return new IllegalStateException("the hub is killed here");
  }

  private ForgeActResult carryOut(ForgeAct act) {
    return switch (act) {
      case ForgeAct.Open it -> open(it);
      case ForgeAct.RequestReview it -> requestReview(it);
      case ForgeAct.Reply it -> reply(it);
      case ForgeAct.Resolve it -> resolve(it);
      case ForgeAct.Comment it -> write(it);
      case ForgeAct.Merge it -> merge(it);
      case ForgeAct.MarkReady it -> {
        draft = false;
        yield did(it, "");
      }
      case ForgeAct.Edit it -> {
        base = it.base().orElse(base);
        yield did(it, "");
      }
      case ForgeAct.RerunFailed _, ForgeAct.UpdateBranch _, ForgeAct.Enqueue _, ForgeAct.Close _ ->
          throw new IllegalStateException("no loop does this: " + act);
    };
  }

  private ForgeActResult did(ForgeAct act, String id) {
    done.add(act);
    return new ForgeActResult.Done(id);
  }

  private ForgeActResult open(ForgeAct.Open act) {
    if (change.isPresent()) {
      return new ForgeActResult.Already(number);
    }
    opened(act.branch());
    base = act.base();
    draft = act.draft();
    return did(act, number);
  }

  private ForgeActResult requestReview(ForgeAct.RequestReview act) {
    boolean asked =
        requested.contains(act.reviewer())
            || reviews.stream().anyMatch(it -> it.head().equals(Optional.of(act.head())));
    if (asked) {
      return new ForgeActResult.Already("");
    }
    requested.add(act.reviewer());
    reviewer.accept(this, act.head());
    return did(act, "");
  }

  private ForgeActResult reply(ForgeAct.Reply act) {
    for (int i = 0; i < threads.size(); i++) {
      ReviewThread it = threads.get(i);
      if (it.id().equals(act.thread())) {
        if (it.comments().stream().anyMatch(comment -> comment.body().contains(act.marker()))) {
          return new ForgeActResult.Already("");
        }
        List<RemoteComment> more = new ArrayList<>(it.comments());
        more.add(comment(US, act.body()));
        threads.set(
            i, new ReviewThread(it.id(), it.path(), it.line(), it.resolved(), it.outdated(), more));
      }
    }
    return did(act, "");
  }

  private ForgeActResult resolve(ForgeAct.Resolve act) {
    for (int i = 0; i < threads.size(); i++) {
      ReviewThread it = threads.get(i);
      if (it.id().equals(act.thread())) {
        if (it.resolved()) {
          return new ForgeActResult.Already("");
        }
        threads.set(
            i, new ReviewThread(it.id(), it.path(), it.line(), true, it.outdated(), it.comments()));
      }
    }
    return did(act, "");
  }

  private ForgeActResult write(ForgeAct.Comment act) {
    for (int i = 0; i < comments.size(); i++) {
      if (comments.get(i).body().contains(act.marker())) {
        RemoteComment it = comments.get(i);
        comments.set(i, new RemoteComment(it.id(), US, true, act.body(), it.createdAt()));
        return new ForgeActResult.Already(it.id());
      }
    }
    comments.add(comment(US, act.body()));
    return did(act, "");
  }

  private ForgeActResult merge(ForgeAct.Merge act) {
    if (state == ChangeSnapshot.State.MERGED) {
      return new ForgeActResult.Already("");
    }
    if (!tip(branch).equals(act.head())) {
      return new ForgeActResult.Refused(new ForgeError.Conflict("the head has moved"));
    }
    git("update-ref refs/heads/" + base + " " + act.head());
    state = ChangeSnapshot.State.MERGED;
    return did(act, "");
  }

  @Override
  public void close() {}
}
