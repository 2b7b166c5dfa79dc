package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.SnapshotGaps;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteReview;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads a change with its comments until nothing has changed meanwhile. */
record GerritSnapshotReader(GerritApi api) {
  private static final int MAX_TRIES = 3;

  ChangeSnapshot read(ChangeRef ref) throws ForgeException, InterruptedException {
    GerritChange change = change(ref);
    String own = GerritApi.login(api.self());
    for (int attempt = 1; true; attempt++) {
      SnapshotGaps gaps = new SnapshotGaps();
      List<GerritThreads.CommentThread> threads =
          GerritThreads.read(part(api.change(ref.number()) + "/comments", gaps));
      Obj ported = needsPorted(change, threads) ? part(ported(ref), gaps) : Obj.EMPTY;
      Mergeability mergeability = mergeability(ref, change, gaps);
      Optional<GerritChange> after = again(ref, gaps);
      boolean isSame = after.isPresent() && after.get().version().equals(change.version());
      if (after.isEmpty() || isSame || attempt == MAX_TRIES) {
        if (after.isPresent() && !isSame) {
          gaps.add("the change was changed while it was read");
        }
        return snapshot(ref, change, threads, ported, mergeability, gaps, own);
      }
      change = after.get();
    }
  }

  GerritChange change(ChangeRef ref) throws ForgeException, InterruptedException {
    return new GerritChange(
        api.object(api.change(ref.number()) + "?" + GerritChange.OPTIONS),
        GerritApi.login(api.self()));
  }

  private Optional<GerritChange> again(ChangeRef ref, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    try {
      return Optional.of(change(ref));
    } catch (ForgeException e) {
      gaps.add(e);
      return Optional.empty();
    }
  }

  private String ported(ChangeRef ref) {
    return api.change(ref.number()) + "/revisions/current/ported_comments";
  }

  private Obj part(String path, SnapshotGaps gaps) throws ForgeException, InterruptedException {
    try {
      return api.object(path);
    } catch (ForgeException e) {
      gaps.add(e);
      return Obj.EMPTY;
    }
  }

  private static boolean needsPorted(
      GerritChange change, List<GerritThreads.CommentThread> threads) {
    return threads.stream().anyMatch(it -> !it.isResolved() && it.patchSet() < change.patchSet());
  }

  private Mergeability mergeability(ChangeRef ref, GerritChange change, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    if (change.state() != ChangeSnapshot.State.OPEN) {
      return Mergeability.UNKNOWN;
    }
    Obj said = part(api.change(ref.number()) + "/revisions/current/mergeable", gaps);
    if (said.get("mergeable").isEmpty()) {
      return Mergeability.UNKNOWN;
    }
    if (!said.is("mergeable")) {
      return said.string("submit_type").orElse("").equals("FAST_FORWARD_ONLY")
          ? Mergeability.BEHIND
          : Mergeability.CONFLICT;
    }
    return change.json().is("submittable") && !change.isDraft()
        ? Mergeability.YES
        : Mergeability.BLOCKED;
  }

  private static ChangeSnapshot snapshot(
      ChangeRef ref,
      GerritChange change,
      List<GerritThreads.CommentThread> threads,
      Obj ported,
      Mergeability mergeability,
      SnapshotGaps gaps,
      String own) {
    GerritReviews messages = new GerritReviews(change, threads, own);
    List<RemoteReview> reviews = messages.reviews();
    return new ChangeSnapshot(
        ref,
        change.state(),
        change.head(),
        change.json().string("branch").orElse(""),
        change.isDraft(),
        mergeability,
        requested(change, reviews),
        reviews,
        threads.stream().map(it -> GerritThreads.show(it, change.patchSet(), ported)).toList(),
        messages.comments(),
        change.checks(),
        gaps.shown());
  }

  /** The reviewers who have neither voted on the newest patch set nor commented on it. */
  private static Set<String> requested(GerritChange change, List<RemoteReview> reviews) {
    Set<String> requested = new HashSet<>();
    change.reviewers().forEach(it -> requested.add(GerritApi.login(it)));
    requested.remove(change.owner());
    requested.removeAll(change.voters());
    reviews.stream()
        .filter(it -> it.head().filter(change.head()::equals).isPresent())
        .filter(it -> it.state() != RemoteReview.State.DISMISSED)
        .forEach(it -> requested.remove(it.author()));
    return requested;
  }
}
