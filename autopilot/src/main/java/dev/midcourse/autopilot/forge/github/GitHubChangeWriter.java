package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgeErrors;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.autopilot.forge.http.ForgeResponse;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.ForgeActResult.Refused;
import dev.midcourse.core.loop.forge.ForgeError;
import java.util.List;
import java.util.Optional;

/** Opens, edits and closes pull requests. */
final class GitHubChangeWriter {
  private static final int UNPROCESSABLE = 422;

  private final GitHubApi api;

  GitHubChangeWriter(GitHubApi api) {
    this.api = api;
  }

  /** The open pull request from a branch into a base. */
  Optional<JsonValue.Obj> find(String branch, String base)
      throws ForgeException, InterruptedException {
    String head = branch.contains(":") ? branch : api.owner() + ":" + branch;
    List<JsonValue.Obj> found =
        api.list(
                "/pulls?state=open&head="
                    + ForgeRequest.encode(head)
                    + "&base="
                    + ForgeRequest.encode(base))
            .items();
    // GitHub ignores a filter that it does not understand.
    String branchAlone = head.substring(head.indexOf(':') + 1);
    return found.stream()
        .filter(pull -> pull.object("head").string("ref").filter(branchAlone::equals).isPresent())
        .filter(pull -> pull.object("base").string("ref").filter(base::equals).isPresent())
        .findFirst();
  }

  ForgeActResult open(ForgeAct.Open act) throws ForgeException, InterruptedException {
    Optional<JsonValue.Obj> open = find(act.branch(), act.base());
    if (open.isPresent()) {
      return new Already(number(open.get()));
    }
    ForgeResponse answer =
        api.write(
            "POST",
            "/pulls",
            JsonValue.object()
                .with("title", act.title())
                .with("head", act.branch())
                .with("base", act.base())
                .with("body", act.body())
                .with("draft", act.draft()));
    if (answer.isSuccess()) {
      return new Done(number(answer.object()));
    }
    if (answer.status() == UNPROCESSABLE) {
      Optional<JsonValue.Obj> other = find(act.branch(), act.base());
      if (other.isPresent()) {
        return new Already(number(other.get()));
      }
    }
    throw ForgeErrors.of(answer);
  }

  ForgeActResult edit(ForgeAct.Edit act) throws ForgeException, InterruptedException {
    String path = "/pulls/" + GitHubForge.number(act.change().number());
    JsonValue.Obj pull = api.get(path);
    boolean isSame =
        act.title().filter(title -> !title.equals(pull.string("title").orElse(""))).isEmpty()
            && act.body().filter(body -> !isSameText(body, pull)).isEmpty()
            && act.base()
                .filter(base -> !base.equals(pull.object("base").string("ref").orElse("")))
                .isEmpty();
    if (isSame) {
      return new Already(number(pull));
    }
    api.mustWrite(
        "PATCH",
        path,
        JsonValue.object()
            .with("title", act.title())
            .with("body", act.body())
            .with("base", act.base()));
    return new Done(number(pull));
  }

  /** GitHub stores line ends of its own. */
  private static boolean isSameText(String body, JsonValue.Obj pull) {
    return body.replace("\r\n", "\n")
        .strip()
        .equals(pull.string("body").orElse("").replace("\r\n", "\n").strip());
  }

  ForgeActResult markReady(ForgeAct.MarkReady act) throws ForgeException, InterruptedException {
    JsonValue.Obj pull = api.get("/pulls/" + GitHubForge.number(act.change().number()));
    if (!pull.is("draft")) {
      return new Already(number(pull));
    }
    JsonValue.Obj data =
        api.graphQl(
            GitHubQuery.MARK_READY,
            JsonValue.object().with("id", pull.string("node_id").orElse("")));
    boolean isDraft =
        data.object("markPullRequestReadyForReview").object("pullRequest").is("isDraft");
    return isDraft
        ? new Refused(new ForgeError.Conflict("GitHub still shows the change as a draft"))
        : new Done(number(pull));
  }

  ForgeActResult close(ForgeAct.Close act) throws ForgeException, InterruptedException {
    String path = "/pulls/" + GitHubForge.number(act.change().number());
    JsonValue.Obj pull = api.get(path);
    return switch (GitHubSnapshotReader.state(pull)) {
      case CLOSED -> new Already(number(pull));
      case MERGED -> new Refused(new ForgeError.Conflict("the change is merged"));
      case OPEN -> {
        api.mustWrite("PATCH", path, JsonValue.object().with("state", "closed"));
        yield new Done(number(pull));
      }
    };
  }

  private static String number(JsonValue.Obj pull) {
    return pull.text("number").orElse("");
  }

  /**
   * Refuses an act about a head that is no longer the newest, or about a change that is not open.
   */
  static void requireOpen(JsonValue.Obj pull, String head) throws ForgeException {
    if (GitHubSnapshotReader.state(pull) != ChangeSnapshot.State.OPEN) {
      throw new ForgeException(new ForgeError.Conflict("the change is not open"));
    }
    if (!GitHubSnapshotReader.head(pull).equals(head)) {
      throw new ForgeException(
          new ForgeError.Conflict("the head is " + GitHubSnapshotReader.head(pull)));
    }
  }
}
