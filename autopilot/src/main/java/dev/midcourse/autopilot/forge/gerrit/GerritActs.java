package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeWrites;
import dev.midcourse.autopilot.forge.HiddenMarker;
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

/** Writes to changes. */
record GerritActs(GerritApi api, GerritSnapshotReader reader) {
  private static final String RESOLVED = "Done.";

  ForgeActResult edit(ForgeAct.Edit act) throws ForgeException, InterruptedException {
    if (act.title().isPresent() || act.body().isPresent()) {
      return ForgeWrites.invalid(
          "title and text of a change at Gerrit are the message of its commit: push another one");
    }
    if (act.base().isEmpty()) {
      return new Already(act.change().number());
    }
    GerritChange change = reader.change(act.change());
    if (change.json().string("branch").equals(act.base())) {
      return new Already(act.change().number());
    }
    post(act.change(), "/move", Obj.EMPTY.with("destination_branch", act.base().get()));
    return new Done(act.change().number());
  }

  ForgeActResult markReady(ForgeAct.MarkReady act) throws ForgeException, InterruptedException {
    GerritChange change = reader.change(act.change());
    if (!change.isDraft()) {
      return new Already(act.change().number());
    }
    post(act.change(), "/ready", Obj.EMPTY);
    return new Done(act.change().number());
  }

  /** Adds the reviewer, or asks one who has voted on an older patch set to act again. */
  ForgeActResult requestReview(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    GerritChange change = reader.change(act.change());
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    Optional<Obj> reviewer =
        change.reviewers().stream().filter(it -> isNamed(it, act.reviewer())).findFirst();
    if (reviewer.isEmpty()) {
      return add(act);
    }
    String login = GerritApi.login(reviewer.get());
    List<Long> looked =
        change.messages().stream()
            .map(GerritMessage::of)
            .filter(it -> it.login().equals(login))
            .map(GerritMessage::patchSet)
            .toList();
    boolean isWaitedFor =
        looked.isEmpty() || looked.contains(change.patchSet()) || change.hasAttentionOf(login);
    if (isWaitedFor) {
      return new Already(login);
    }
    post(
        act.change(),
        "/attention",
        Obj.EMPTY.with("user", login).with("reason", "there is a new patch set"));
    return new Done(login);
  }

  private ForgeActResult add(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    JsonValue answer =
        post(
            act.change(),
            "/reviewers",
            Obj.EMPTY.with("reviewer", act.reviewer()).with("state", "REVIEWER"));
    Obj said = answer instanceof Obj object ? object : Obj.EMPTY;
    if (said.objects("reviewers").isEmpty()) {
      return ForgeWrites.invalid(
          "Gerrit did not add the reviewer "
              + act.reviewer()
              + said.string("error")
                  .map(it -> ": " + it.lines().findFirst().orElse(""))
                  .orElse(""));
    }
    return new Done(GerritApi.login(said.objects("reviewers").getFirst()));
  }

  private static boolean isNamed(Obj account, String name) {
    return account.string("username").orElse("").equals(name)
        || account.string("email").orElse("").equals(name)
        || account.text("_account_id").orElse("").equals(name);
  }

  ForgeActResult reply(ForgeAct.Reply act) throws ForgeException, InterruptedException {
    Optional<GerritThreads.CommentThread> thread = thread(act.change(), act.thread());
    if (thread.isEmpty()) {
      return ForgeWrites.notFound("the change has no thread " + act.thread());
    }
    Optional<Obj> earlier = thread.get().marked(act.marker(), own());
    if (earlier.isPresent()) {
      return new Already(earlier.get().string("id").orElse(""));
    }
    write(
        act.change(),
        thread.get(),
        HiddenMarker.append(act.body(), act.marker()),
        !thread.get().isResolved());
    return new Done("");
  }

  /** A thread is resolved by a comment that says so. */
  ForgeActResult resolve(ForgeAct.Resolve act) throws ForgeException, InterruptedException {
    Optional<GerritThreads.CommentThread> thread = thread(act.change(), act.thread());
    if (thread.isEmpty()) {
      return ForgeWrites.notFound("the change has no thread " + act.thread());
    }
    if (thread.get().isResolved()) {
      return new Already(act.thread());
    }
    write(act.change(), thread.get(), RESOLVED, false);
    return new Done(act.thread());
  }

  private Optional<GerritThreads.CommentThread> thread(ChangeRef change, String id)
      throws ForgeException, InterruptedException {
    return GerritThreads.read(api.object(api.change(change.number()) + "/comments")).stream()
        .filter(it -> it.id().equals(id))
        .findFirst();
  }

  /** Adds a comment at the end of a thread, on the patch set on which the thread is. */
  private void write(
      ChangeRef change, GerritThreads.CommentThread thread, String text, boolean unresolved)
      throws ForgeException, InterruptedException {
    Obj comment =
        Obj.EMPTY
            .with("in_reply_to", thread.last().string("id").orElse(""))
            .with("message", text)
            .with("unresolved", unresolved);
    Obj root = thread.root();
    if (root.number("line").isPresent()) {
      comment = comment.with("line", root.number("line").get());
    }
    if (root.string("side").isPresent()) {
      comment = comment.with("side", root.string("side").get());
    }
    Obj comments = Obj.EMPTY.with(thread.file(), new Arr(List.of(comment)));
    post(
        change,
        "/revisions/" + thread.patchSet() + "/review",
        Obj.EMPTY.with("comments", comments));
  }

  /** A message cannot be edited at Gerrit: another text is another message with the same mark. */
  ForgeActResult comment(ForgeAct.Comment act) throws ForgeException, InterruptedException {
    GerritChange change = reader.change(act.change());
    String own = own();
    Optional<GerritMessage> last =
        change.messages().stream()
            .map(GerritMessage::of)
            .filter(it -> it.login().equals(own))
            .filter(it -> HiddenMarker.isIn(it.text(), act.marker()))
            .reduce((_, later) -> later);
    String text = HiddenMarker.append(act.body(), act.marker()).strip();
    if (last.isPresent() && last.get().text().equals(text)) {
      return new Already(last.get().id());
    }
    post(act.change(), "/revisions/current/review", Obj.EMPTY.with("message", text));
    return new Done("");
  }

  ForgeActResult updateBranch(ForgeAct.UpdateBranch act)
      throws ForgeException, InterruptedException {
    GerritChange change = reader.change(act.change());
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    try {
      post(act.change(), "/revisions/" + change.revision() + "/rebase", Obj.EMPTY);
      return new Done(act.change().number());
    } catch (ForgeException e) {
      boolean isUpToDate =
          e.error() instanceof ForgeError.Conflict(String said) && said.contains("up to date");
      if (isUpToDate) {
        return new Already(act.change().number());
      }
      throw e;
    }
  }

  ForgeActResult merge(ForgeAct.Merge act) throws ForgeException, InterruptedException {
    GerritChange change = reader.change(act.change());
    if (change.state() == ChangeSnapshot.State.MERGED && change.hasPatchSet(act.head())) {
      return new Already(act.change().number());
    }
    Optional<ForgeActResult> refused = refuseOther(change, act.head());
    if (refused.isPresent()) {
      return refused.get();
    }
    post(act.change(), "/revisions/" + change.revision() + "/submit", Obj.EMPTY);
    return new Done(act.change().number());
  }

  ForgeActResult close(ForgeAct.Close act) throws ForgeException, InterruptedException {
    return switch (reader.change(act.change()).state()) {
      case CLOSED -> new Already(act.change().number());
      case MERGED -> ForgeWrites.conflict("the change is merged");
      case OPEN -> {
        post(act.change(), "/abandon", Obj.EMPTY);
        yield new Done(act.change().number());
      }
    };
  }

  /** Refuses a change that is not open, or that has another head. */
  private static Optional<ForgeActResult> refuseOther(GerritChange change, String head) {
    if (change.state() != ChangeSnapshot.State.OPEN) {
      return Optional.of(ForgeWrites.conflict("the change is not open"));
    }
    return change.isHead(head)
        ? Optional.empty()
        : Optional.of(ForgeWrites.moved(head, change.head()));
  }

  private String own() throws ForgeException, InterruptedException {
    return GerritApi.login(api.self());
  }

  private JsonValue post(ChangeRef change, String path, Obj body)
      throws ForgeException, InterruptedException {
    return api.post(api.change(change.number()) + path, body);
  }
}
