package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeWrites;
import dev.midcourse.autopilot.forge.HiddenMarker;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.ForgeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writes to merge requests. */
record GitLabActs(GitLabApi api, GitLabSnapshotReader reader) {
  private static final Set<String> IN_PROGRESS =
      Set.of("created", "waiting_for_resource", "preparing", "pending", "running");

  ForgeActResult open(ForgeAct.Open act) throws ForgeException, InterruptedException {
    Obj body =
        Obj.EMPTY
            .with("source_branch", act.branch())
            .with("target_branch", act.base())
            .with("title", act.draft() ? GitLabChange.draft(act.title()) : act.title())
            .with("description", act.body());
    return new Done(
        new GitLabChange(api.write("POST", api.path("/merge_requests"), body))
            .reference()
            .number());
  }

  ForgeActResult edit(ForgeAct.Edit act) throws ForgeException, InterruptedException {
    GitLabChange change = reader.change(act.change());
    Optional<String> title = act.title().map(it -> change.isDraft() ? GitLabChange.draft(it) : it);
    Obj body =
        Obj.EMPTY
            .with("title", title.filter(it -> !it.equals(change.title())))
            .with("description", differing(change, "description", act.body()))
            .with("target_branch", differing(change, "target_branch", act.base()));
    if (body.fields().isEmpty()) {
      return new Already(act.change().number());
    }
    update(act.change(), body);
    return new Done(act.change().number());
  }

  private static Optional<String> differing(
      GitLabChange change, String field, Optional<String> wanted) {
    return wanted.filter(it -> !it.equals(change.json().string(field).orElse("")));
  }

  ForgeActResult markReady(ForgeAct.MarkReady act) throws ForgeException, InterruptedException {
    GitLabChange change = reader.change(act.change());
    if (!change.isDraft()) {
      return new Already(act.change().number());
    }
    update(act.change(), Obj.EMPTY.with("title", GitLabChange.ready(change.title())));
    return new Done(act.change().number());
  }

  ForgeActResult requestReview(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    GitLabChange change = reader.change(act.change());
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    ChangeSnapshot snapshot = reader.read(act.change());
    boolean hasAnswered =
        snapshot.reviews().stream()
            .anyMatch(it ->
                it.author().equals(act.reviewer())
                    && it.head().filter(act.head()::equals).isPresent());
    if (hasAnswered || snapshot.requested().contains(act.reviewer())) {
      return new Already(act.reviewer());
    }
    boolean isReviewer =
        change.json().objects("reviewers").stream()
            .anyMatch(it -> GitLabApi.login(it).equals(act.reviewer()));
    return isReviewer ? askAgain(act) : add(act, change);
  }

  private ForgeActResult add(ForgeAct.RequestReview act, GitLabChange change)
      throws ForgeException, InterruptedException {
    List<Obj> users = api.list("/users?username=" + ForgeRequest.encode(act.reviewer()));
    if (users.isEmpty()) {
      return ForgeWrites.invalid("GitLab has no user " + act.reviewer());
    }
    List<JsonValue> ids = new ArrayList<>();
    change.json().objects("reviewers").forEach(it -> ids.add(JsonValue.of(id(it))));
    ids.add(JsonValue.of(id(users.getFirst())));
    update(act.change(), Obj.EMPTY.with("reviewer_ids", new Arr(ids)));
    return readBack(act);
  }

  private static long id(Obj user) {
    return user.number("id").orElse(0L);
  }

  /** GitLab has no request for this, only an order in a comment. */
  private ForgeActResult askAgain(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    api.client()
        .call(
            ForgeRequest.write(
                "POST",
                api.request(act.change().number(), "/notes"),
                Obj.EMPTY.with("body", "/request_review @" + act.reviewer())));
    return readBack(act);
  }

  /** Without a licence GitLab keeps one reviewer and drops the others silently. */
  private ForgeActResult readBack(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    return reader.read(act.change()).requested().contains(act.reviewer())
        ? new Done(act.reviewer())
        : ForgeWrites.invalid("GitLab did not take " + act.reviewer() + " as a reviewer");
  }

  ForgeActResult reply(ForgeAct.Reply act) throws ForgeException, InterruptedException {
    Obj discussion = api.get(discussion(act.change(), act.thread()));
    Optional<Obj> earlier = marked(discussion.objects("notes"), act.marker());
    if (earlier.isPresent()) {
      return new Already(earlier.get().text("id").orElse(""));
    }
    Obj note =
        api.write(
            "POST",
            discussion(act.change(), act.thread()) + "/notes",
            Obj.EMPTY.with("body", HiddenMarker.append(act.body(), act.marker())));
    return new Done(note.text("id").orElse(""));
  }

  ForgeActResult resolve(ForgeAct.Resolve act) throws ForgeException, InterruptedException {
    Obj discussion = api.get(discussion(act.change(), act.thread()));
    if (!GitLabDiscussions.isThread(discussion)) {
      return ForgeWrites.invalid("the discussion " + act.thread() + " cannot be resolved");
    }
    if (GitLabDiscussions.isResolved(discussion)) {
      return new Already(act.thread());
    }
    api.write("PUT", discussion(act.change(), act.thread()), Obj.EMPTY.with("resolved", true));
    return new Done(act.thread());
  }

  private String discussion(ChangeRef change, String id) {
    return api.request(change.number(), "/discussions/" + ForgeRequest.encode(id));
  }

  private Optional<Obj> marked(List<Obj> notes, String marker)
      throws ForgeException, InterruptedException {
    String own = GitLabApi.login(api.self());
    return notes.stream()
        .filter(it -> GitLabApi.login(it.object("author")).equals(own))
        .filter(it -> HiddenMarker.isIn(it.string("body").orElse(""), marker))
        .findFirst();
  }

  ForgeActResult comment(ForgeAct.Comment act) throws ForgeException, InterruptedException {
    String notes = api.request(act.change().number(), "/notes");
    String body = HiddenMarker.append(act.body(), act.marker());
    Optional<Obj> earlier = marked(api.list(notes + "?per_page=100"), act.marker());
    if (earlier.isEmpty()) {
      Obj note = api.write("POST", notes, Obj.EMPTY.with("body", body));
      return new Done(note.text("id").orElse(""));
    }
    String id = earlier.get().text("id").orElse("");
    if (earlier.get().string("body").orElse("").equals(body)) {
      return new Already(id);
    }
    api.write("PUT", notes + "/" + id, Obj.EMPTY.with("body", body));
    return new Done(id);
  }

  ForgeActResult rerunFailed(ForgeAct.RerunFailed act) throws ForgeException, InterruptedException {
    List<Obj> pipelines =
        new GitLabChecks(
                act.head(),
                List.of(),
                api.list(api.request(act.change().number(), "/pipelines?per_page=100")))
            .ofHead();
    if (pipelines.isEmpty()) {
      return ForgeWrites.notFound("GitLab has no pipeline for " + act.head());
    }
    Obj newest = pipelines.getFirst();
    String id = newest.text("id").orElse("");
    if (IN_PROGRESS.contains(newest.string("status").orElse(""))) {
      return new Already(id);
    }
    api.write("POST", api.path("/pipelines/" + id + "/retry"), Obj.EMPTY);
    return new Done(id);
  }

  /** GitLab rebases the branch: its commits are replaced. */
  ForgeActResult updateBranch(ForgeAct.UpdateBranch act)
      throws ForgeException, InterruptedException {
    GitLabChange change =
        new GitLabChange(
            api.get(
                api.request(
                    act.change().number(),
                    "?include_diverged_commits_count=true&include_rebase_in_progress=true")));
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    boolean isUpToDate =
        change.json().number("diverged_commits_count").filter(it -> it == 0).isPresent();
    if (isUpToDate || change.json().is("rebase_in_progress")) {
      return new Already(act.change().number());
    }
    if (change.json().is("has_conflicts")) {
      return ForgeWrites.conflict("the merge request conflicts with its target branch");
    }
    api.client()
        .call(ForgeRequest.write("PUT", api.request(act.change().number(), "/rebase"), Obj.EMPTY));
    return new Done(act.change().number());
  }

  ForgeActResult merge(ForgeAct.Merge act) throws ForgeException, InterruptedException {
    GitLabChange change = reader.change(act.change());
    if (change.state() == ChangeSnapshot.State.MERGED && change.head().equals(act.head())) {
      return new Already(act.change().number());
    }
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    return accept(act.change(), Obj.EMPTY.with("sha", act.head()));
  }

  ForgeActResult enqueue(ForgeAct.Enqueue act) throws ForgeException, InterruptedException {
    GitLabChange change = reader.change(act.change());
    boolean isMerged =
        change.state() == ChangeSnapshot.State.MERGED && change.head().equals(act.head());
    if (isMerged || change.json().is("merge_when_pipeline_succeeds")) {
      return new Already(act.change().number());
    }
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    // GitLab 17.11 has renamed the field; both are understood until the old one is gone.
    return accept(
        act.change(),
        Obj.EMPTY
            .with("sha", act.head())
            .with("auto_merge", true)
            .with("merge_when_pipeline_succeeds", true));
  }

  /** GitLab answers a missing permission to merge with 401, and a conflict with 405 or 422. */
  private ForgeActResult accept(ChangeRef change, Obj body)
      throws ForgeException, InterruptedException {
    try {
      api.write("PUT", api.request(change.number(), "/merge"), body);
      return new Done(change.number());
    } catch (ForgeException e) {
      return switch (e.error()) {
        case ForgeError.Unauthorized it ->
            new ForgeActResult.Refused(new ForgeError.Forbidden(it.message()));
        case ForgeError.Invalid it -> ForgeWrites.conflict(it.message());
        case ForgeError.Forbidden _,
            ForgeError.NotFound _,
            ForgeError.Limited _,
            ForgeError.Conflict _,
            ForgeError.Outage _ ->
            throw e;
      };
    }
  }

  ForgeActResult close(ForgeAct.Close act) throws ForgeException, InterruptedException {
    return switch (reader.change(act.change()).state()) {
      case CLOSED -> new Already(act.change().number());
      case MERGED -> ForgeWrites.conflict("the merge request is merged");
      case OPEN -> {
        update(act.change(), Obj.EMPTY.with("state_event", "close"));
        yield new Done(act.change().number());
      }
    };
  }

  /** Refuses a merge request that is not open, or that has another head. */
  private static Optional<ForgeActResult> refuseOther(GitLabChange change, String head) {
    if (change.state() != ChangeSnapshot.State.OPEN) {
      return Optional.of(ForgeWrites.conflict("the merge request is not open"));
    }
    return change.head().equals(head)
        ? Optional.empty()
        : Optional.of(ForgeWrites.moved(head, change.head()));
  }

  private void update(ChangeRef change, Obj body) throws ForgeException, InterruptedException {
    api.write("PUT", api.request(change.number(), ""), body);
  }
}
