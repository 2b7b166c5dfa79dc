package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.SnapshotGaps;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import java.util.List;
import java.util.Optional;

/** Reads a merge request until its head has not moved meanwhile. */
record GitLabSnapshotReader(GitLabApi api) {
  private static final int MAX_TRIES = 3;

  GitLabChange change(ChangeRef ref) throws ForgeException, InterruptedException {
    return new GitLabChange(api.get(api.request(ref.number(), "")));
  }

  ChangeSnapshot read(ChangeRef ref) throws ForgeException, InterruptedException {
    GitLabChange change = change(ref);
    for (int attempt = 1; true; attempt++) {
      SnapshotGaps gaps = new SnapshotGaps();
      ChangeSnapshot snapshot = read(ref, change, gaps);
      Optional<GitLabChange> after = again(ref, gaps);
      if (after.isEmpty()) {
        return withGaps(snapshot, gaps);
      }
      if (after.get().head().equals(change.head()) && after.get().state() == change.state()) {
        return withGaps(snapshot, gaps);
      }
      if (attempt == MAX_TRIES) {
        gaps.add("the merge request was changed while it was read");
        return withGaps(snapshot, gaps);
      }
      change = after.get();
    }
  }

  private Optional<GitLabChange> again(ChangeRef ref, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    try {
      return Optional.of(change(ref));
    } catch (ForgeException e) {
      gaps.add(e);
      return Optional.empty();
    }
  }

  private ChangeSnapshot read(ChangeRef ref, GitLabChange change, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    String number = ref.number();
    GitLabDiscussions discussions =
        new GitLabDiscussions(api.part(api.request(number, "/discussions?per_page=100"), gaps));
    GitLabReviews reviews =
        new GitLabReviews(
            discussions,
            approvals(number, gaps),
            api.part(api.request(number, "/reviewers?per_page=100"), gaps),
            api.part(api.request(number, "/versions?per_page=100"), gaps),
            GitLabApi.login(api.self()));
    List<Obj> statuses =
        api.part(api.path("/repository/commits/" + change.head() + "/statuses?per_page=100"), gaps);
    List<Obj> pipelines = api.part(api.request(number, "/pipelines?per_page=100"), gaps);
    return new ChangeSnapshot(
        ref,
        change.state(),
        change.head(),
        change.base(),
        change.isDraft(),
        change.mergeability(),
        reviews.requested(),
        reviews.all(),
        discussions.threads(change.head()),
        discussions.comments(),
        new GitLabChecks(change.head(), statuses, pipelines).all(),
        Optional.empty());
  }

  private Obj approvals(String number, SnapshotGaps gaps)
      throws ForgeException, InterruptedException {
    try {
      return api.get(api.request(number, "/approvals"));
    } catch (ForgeException e) {
      gaps.add(e);
      return Obj.EMPTY;
    }
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
