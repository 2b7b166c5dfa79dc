package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeWrites;
import dev.midcourse.autopilot.forge.HiddenMarker;
import dev.midcourse.autopilot.forge.SnapshotGaps;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.autopilot.forge.http.ForgeResponse;
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
import java.util.List;
import java.util.Optional;

/** Writes to pull requests. */
record GiteaActs(GiteaApi api, GiteaSnapshotReader reader) {

  ForgeActResult open(ForgeAct.Open act) throws ForgeException, InterruptedException {
    Obj body =
        Obj.EMPTY
            .with("head", act.branch())
            .with("base", act.base())
            .with("title", act.draft() ? GiteaChange.draft(act.title()) : act.title())
            .with("body", act.body());
    Obj made = api.write("POST", api.path("/pulls"), body).object();
    return new Done(new GiteaChange(made).reference().number());
  }

  ForgeActResult edit(ForgeAct.Edit act) throws ForgeException, InterruptedException {
    GiteaChange change = reader.change(act.change());
    Optional<String> title = act.title().map(it -> change.isDraft() ? GiteaChange.draft(it) : it);
    Obj body =
        Obj.EMPTY
            .with("title", title.filter(it -> !it.equals(change.title())))
            .with(
                "body",
                act.body().filter(it -> !it.equals(change.json().string("body").orElse(""))))
            .with("base", act.base().filter(it -> !it.equals(change.base())));
    if (body.fields().isEmpty()) {
      return new Already(act.change().number());
    }
    update(act.change(), body);
    return new Done(act.change().number());
  }

  ForgeActResult markReady(ForgeAct.MarkReady act) throws ForgeException, InterruptedException {
    GiteaChange change = reader.change(act.change());
    if (!change.isDraft()) {
      return new Already(act.change().number());
    }
    update(act.change(), Obj.EMPTY.with("title", GiteaChange.ready(change.title())));
    return new Done(act.change().number());
  }

  ForgeActResult requestReview(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    GiteaChange change = reader.change(act.change());
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    if (change.requested().contains(act.reviewer()) || hasAnswered(act)) {
      return new Already(act.reviewer());
    }
    api.write(
        "POST",
        api.pull(act.change().number(), "/requested_reviewers"),
        Obj.EMPTY.with("reviewers", JsonValue.strings(List.of(act.reviewer()))));
    return reader.change(act.change()).requested().contains(act.reviewer())
        ? new Done(act.reviewer())
        : ForgeWrites.invalid("the forge did not take " + act.reviewer() + " as a reviewer");
  }

  private boolean hasAnswered(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    return reader.read(act.change()).reviews().stream()
        .anyMatch(it ->
            it.author().equals(act.reviewer()) && it.head().filter(act.head()::equals).isPresent());
  }

  ForgeActResult reply(ForgeAct.Reply act) throws ForgeException, InterruptedException {
    Optional<GiteaThread> found = thread(act.change(), act.thread());
    if (found.isEmpty()) {
      return ForgeWrites.notFound("the pull request has no thread " + act.thread());
    }
    GiteaThread thread = found.get();
    Optional<Obj> earlier = thread.marked(act.marker(), GiteaApi.login(api.self()));
    if (earlier.isPresent()) {
      return new Already(earlier.get().text("id").orElse(""));
    }
    String body = HiddenMarker.append(act.body(), act.marker());
    String number = act.change().number();
    ForgeResponse answer =
        switch (api.version().replyWay()) {
          case REPLY ->
              api.write(
                  "POST",
                  api.pull(number, "/comments/" + thread.id() + "/replies"),
                  Obj.EMPTY.with("body", body));
          case COMMENT_OF_REVIEW ->
              api.write(
                  "POST",
                  api.pull(number, "/reviews/" + thread.review() + "/comments"),
                  thread.comment(body));
          case REVIEW ->
              api.write(
                  "POST",
                  api.pull(number, "/reviews"),
                  Obj.EMPTY
                      .with("event", "COMMENT")
                      .with("commit_id", thread.commit())
                      .with("comments", new Arr(List.of(thread.comment(body)))));
        };
    return new Done(
        api.version().replyWay() == GiteaVersion.ReplyWay.REVIEW
            ? ""
            : answer.object().text("id").orElse(""));
  }

  ForgeActResult resolve(ForgeAct.Resolve act) throws ForgeException, InterruptedException {
    Optional<GiteaThread> thread = thread(act.change(), act.thread());
    if (thread.isEmpty()) {
      return ForgeWrites.notFound("the pull request has no thread " + act.thread());
    }
    if (thread.get().isResolved()) {
      return new Already(act.thread());
    }
    if (!api.version().canResolve()) {
      return ForgeWrites.invalid("this version of the forge cannot resolve threads by requests");
    }
    api.client()
        .call(
            ForgeRequest.write(
                "POST", api.path("/pulls/comments/" + thread.get().id() + "/resolve")));
    return new Done(act.thread());
  }

  /** A thread that cannot be found because a page is missing is an outage. */
  private Optional<GiteaThread> thread(ChangeRef change, String id)
      throws ForgeException, InterruptedException {
    SnapshotGaps gaps = new SnapshotGaps();
    Optional<GiteaThread> thread =
        reader.threads(change.number(), reader.reviews(change.number(), gaps), gaps).stream()
            .filter(it -> it.id().equals(id))
            .findFirst();
    if (gaps.shown().isPresent()) {
      throw new ForgeException(new ForgeError.Outage(gaps.shown().get()));
    }
    return thread;
  }

  ForgeActResult comment(ForgeAct.Comment act) throws ForgeException, InterruptedException {
    String comments = api.path("/issues/" + act.change().number() + "/comments");
    String body = HiddenMarker.append(act.body(), act.marker());
    String own = GiteaApi.login(api.self());
    Optional<Obj> earlier =
        api.list(comments + "?" + GiteaApi.PAGE).stream()
            .filter(it -> GiteaApi.login(it.object("user")).equals(own))
            .filter(it -> HiddenMarker.isIn(it.string("body").orElse(""), act.marker()))
            .findFirst();
    if (earlier.isEmpty()) {
      Obj made = api.write("POST", comments, Obj.EMPTY.with("body", body)).object();
      return new Done(made.text("id").orElse(""));
    }
    String id = earlier.get().text("id").orElse("");
    if (earlier.get().string("body").orElse("").equals(body)) {
      return new Already(id);
    }
    api.write("PATCH", api.path("/issues/comments/" + id), Obj.EMPTY.with("body", body));
    return new Done(id);
  }

  ForgeActResult updateBranch(ForgeAct.UpdateBranch act)
      throws ForgeException, InterruptedException {
    GiteaChange change = reader.change(act.change());
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    if (change.isUpToDate()) {
      return new Already(act.change().number());
    }
    api.client()
        .call(ForgeRequest.write("POST", api.pull(act.change().number(), "/update?style=merge")));
    return new Done(act.change().number());
  }

  ForgeActResult merge(ForgeAct.Merge act) throws ForgeException, InterruptedException {
    GiteaChange change = reader.change(act.change());
    if (change.state() == ChangeSnapshot.State.MERGED && change.head().equals(act.head())) {
      return new Already(act.change().number());
    }
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    accept(act.change(), act.head(), false);
    return new Done(act.change().number());
  }

  ForgeActResult enqueue(ForgeAct.Enqueue act) throws ForgeException, InterruptedException {
    GiteaChange change = reader.change(act.change());
    if (change.state() == ChangeSnapshot.State.MERGED && change.head().equals(act.head())) {
      return new Already(act.change().number());
    }
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    try {
      accept(act.change(), act.head(), true);
      return new Done(act.change().number());
    } catch (ForgeException e) {
      boolean isScheduled =
          e.error() instanceof ForgeError.Conflict(String said)
              && said.contains("already scheduled");
      if (isScheduled) {
        return new Already(act.change().number());
      }
      throw e;
    }
  }

  /** Merges in the way that the repository prefers. */
  private void accept(ChangeRef change, String head, boolean whenGreen)
      throws ForgeException, InterruptedException {
    Obj body =
        Obj.EMPTY
            .with("Do", api.get(api.path("")).string("default_merge_style").orElse("merge"))
            .with("head_commit_id", head);
    api.write(
        "POST",
        api.pull(change.number(), "/merge"),
        whenGreen ? body.with("merge_when_checks_succeed", true) : body);
  }

  ForgeActResult close(ForgeAct.Close act) throws ForgeException, InterruptedException {
    return switch (reader.change(act.change()).state()) {
      case CLOSED -> new Already(act.change().number());
      case MERGED -> ForgeWrites.conflict("the pull request is merged");
      case OPEN -> {
        update(act.change(), Obj.EMPTY.with("state", "closed"));
        yield new Done(act.change().number());
      }
    };
  }

  private static Optional<ForgeActResult> refuseOther(GiteaChange change, String head) {
    if (change.state() != ChangeSnapshot.State.OPEN) {
      return Optional.of(ForgeWrites.conflict("the pull request is not open"));
    }
    return change.head().equals(head)
        ? Optional.empty()
        : Optional.of(ForgeWrites.moved(head, change.head()));
  }

  private void update(ChangeRef change, Obj body) throws ForgeException, InterruptedException {
    api.write("PATCH", api.pull(change.number(), ""), body);
  }
}
