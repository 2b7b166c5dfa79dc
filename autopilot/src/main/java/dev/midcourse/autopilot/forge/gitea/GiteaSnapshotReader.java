package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.SnapshotGaps;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a pull request until its head has not moved meanwhile. */
final class GiteaSnapshotReader {
  private static final int MAX_TRIES = 3;
  private static final int MAX_REMEMBERED = 1_000;

  private final GiteaApi api;

  /**
   * The state in which a pull request could not be merged when it was last read. Guarded by itself.
   */
  private final Map<String, String> unmergeable = new LinkedHashMap<>();

  GiteaSnapshotReader(GiteaApi api) {
    this.api = api;
  }

  GiteaChange change(ChangeRef ref) throws ForgeException, InterruptedException {
    return new GiteaChange(api.get(api.pull(ref.number(), "")));
  }

  ChangeSnapshot read(ChangeRef ref) throws ForgeException, InterruptedException {
    GiteaChange change = change(ref);
    for (int attempt = 1; true; attempt++) {
      SnapshotGaps gaps = new SnapshotGaps();
      ChangeSnapshot snapshot = read(ref, change, gaps);
      Optional<GiteaChange> after = again(ref, gaps);
      if (after.isEmpty()) {
        return withGaps(snapshot, gaps);
      }
      if (after.get().head().equals(change.head()) && after.get().state() == change.state()) {
        return withGaps(snapshot, gaps);
      }
      if (attempt == MAX_TRIES) {
        gaps.add("the pull request was changed while it was read");
        return withGaps(snapshot, gaps);
      }
      change = after.get();
    }
  }

  private Optional<GiteaChange> again(ChangeRef ref, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    try {
      return Optional.of(change(ref));
    } catch (ForgeException e) {
      gaps.add(e);
      return Optional.empty();
    }
  }

  /** Reads the threads. The list of reviews has no comments: each review is asked for its own. */
  List<GiteaThread> threads(String number, List<Obj> reviews, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    List<Obj> comments = new ArrayList<>();
    for (Obj review : reviews) {
      if (review.number("comments_count").orElse(0L) > 0) {
        String path = "/reviews/" + review.text("id").orElse("") + "/comments?" + GiteaApi.PAGE;
        comments.addAll(api.part(api.pull(number, path), gaps));
      }
    }
    return GiteaThread.of(comments);
  }

  List<Obj> reviews(String number, SnapshotGaps gaps) throws ForgeException, InterruptedException {
    return api.part(api.pull(number, "/reviews?" + GiteaApi.PAGE), gaps);
  }

  private ChangeSnapshot read(ChangeRef ref, GiteaChange change, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    String own = GiteaApi.login(api.self());
    List<Obj> reviews = reviews(ref.number(), gaps);
    List<GiteaThread> threads = threads(ref.number(), reviews, gaps);
    List<RemoteComment> comments =
        api.part(api.path("/issues/" + ref.number() + "/comments?" + GiteaApi.PAGE), gaps).stream()
            .map(it -> GiteaThread.comment(it, "user"))
            .toList();
    List<Obj> statuses =
        api.part(api.path("/commits/" + change.head() + "/statuses?" + GiteaApi.PAGE), gaps);
    return new ChangeSnapshot(
        ref,
        change.state(),
        change.head(),
        change.base(),
        change.isDraft(),
        mergeability(ref, change),
        change.requested(),
        reviews.stream()
            .filter(it -> !GiteaApi.login(it.object("user")).equals(own))
            .flatMap(it -> review(it).stream())
            .toList(),
        threads.stream().map(it -> it.shown(change.head())).toList(),
        comments,
        checks(statuses),
        Optional.empty());
  }

  /**
   * The forge says no also while it still looks for conflicts. So a conflict is told when branch
   * and base are the same at the next look.
   */
  private Mergeability mergeability(ChangeRef ref, GiteaChange change) {
    if (change.state() != ChangeSnapshot.State.OPEN) {
      return Mergeability.UNKNOWN;
    }
    if (change.json().is("mergeable")) {
      return change.isDraft() ? Mergeability.BLOCKED : Mergeability.YES;
    }
    if (change.isDraft()) {
      return Mergeability.BLOCKED;
    }
    synchronized (unmergeable) {
      if (unmergeable.size() >= MAX_REMEMBERED) {
        unmergeable.clear();
      }
      String before = unmergeable.put(ref.number(), change.version());
      return change.version().equals(before) ? Mergeability.CONFLICT : Mergeability.UNKNOWN;
    }
  }

  /** A request for a review is in the list of reviews too, and is none. */
  private static Optional<RemoteReview> review(Obj review) {
    Optional<RemoteReview.State> state =
        switch (review.string("state").orElse("")) {
          case "APPROVED" -> Optional.of(RemoteReview.State.APPROVED);
          case "REQUEST_CHANGES" -> Optional.of(RemoteReview.State.CHANGES_REQUESTED);
          case "COMMENT" -> Optional.of(RemoteReview.State.COMMENTED);
          case "PENDING" -> Optional.of(RemoteReview.State.PENDING);
          default -> Optional.empty();
        };
    Obj user = review.object("user");
    return state.map(it ->
        new RemoteReview(
            review.text("id").orElse(""),
            GiteaApi.login(user),
            GiteaApi.isBot(user),
            review.string("commit_id").filter(sha -> !sha.isBlank()),
            review.is("dismissed") ? RemoteReview.State.DISMISSED : it,
            review.string("body").orElse(""),
            GiteaApi.time(review.string("submitted_at").orElse(""))));
  }

  /** The newest status of each context. */
  private static List<RemoteCheck> checks(List<Obj> statuses) {
    Map<String, Obj> newest = new LinkedHashMap<>();
    for (Obj status : statuses) {
      newest.merge(
          status.string("context").orElse(""),
          status,
          (one, other) ->
              one.number("id").orElse(0L) > other.number("id").orElse(0L) ? one : other);
    }
    return newest.values().stream().map(GiteaSnapshotReader::check).toList();
  }

  private static RemoteCheck check(Obj status) {
    RemoteCheck.State state =
        switch (status.string("status").orElse("")) {
          case "pending" -> RemoteCheck.State.WAITING;
          case "success" -> RemoteCheck.State.SUCCESS;
          case "error", "failure" -> RemoteCheck.State.FAILURE;
          case "warning" -> RemoteCheck.State.ACTION_REQUIRED;
          case "skipped" -> RemoteCheck.State.SKIPPED;
          default -> RemoteCheck.State.UNKNOWN;
        };
    return new RemoteCheck(
        "",
        status.string("context").orElse(""),
        state,
        status.string("description").orElse(""),
        status.string("target_url").orElse(""),
        List.of());
  }

  private static ChangeSnapshot withGaps(ChangeSnapshot it, SnapshotGaps gaps) {
    return new ChangeSnapshot(
        it.ref(),
        it.state(),
        it.head(),
        it.base(),
        it.draft(),
        it.mergeability(),
        it.requested(),
        it.reviews(),
        it.threads(),
        it.comments(),
        it.checks(),
        gaps.shown());
  }
}
