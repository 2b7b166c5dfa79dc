package dev.midcourse.autopilot.forge.github;

import static dev.midcourse.autopilot.forge.github.GitHubReviewWriter.readBack;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgeErrors;
import dev.midcourse.autopilot.forge.http.ForgePages;
import dev.midcourse.autopilot.forge.http.ForgeResponse;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.ForgeActResult.Refused;
import dev.midcourse.core.loop.forge.ForgeActResult.Unknown;
import dev.midcourse.core.loop.forge.ForgeError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Runs checks again, updates branches, merges. Each write names the head that it is about. */
final class GitHubLandingWriter {
  private static final int MAX_READ_BACKS = 5;
  private static final int UNPROCESSABLE = 422;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Set<String> FAILED = Set.of("failure", "timed_out", "cancelled");

  private final GitHubApi api;
  private final Duration readBackInterval;

  /**
   * @param readBackInterval between two looks at something that GitHub does in the background
   */
  GitHubLandingWriter(GitHubApi api, Duration readBackInterval) {
    this.api = api;
    this.readBackInterval = readBackInterval;
  }

  /** Runs the failed jobs of GitHub Actions again, once for each run of a workflow. */
  ForgeActResult rerunFailed(ForgeAct.RerunFailed act) throws ForgeException, InterruptedException {
    GitHubChangeWriter.requireOpen(pull(act.change().number()), act.head());
    ForgePages runs = api.list("/actions/runs?head_sha=" + act.head(), "workflow_runs");
    if (runs.incomplete().isPresent()) {
      throw new ForgeException(new ForgeError.Outage(runs.incomplete().get()));
    }
    List<String> again = new ArrayList<>();
    List<String> before = new ArrayList<>();
    for (JsonValue.Obj run : runs.items()) {
      String id = run.text("id").orElse("");
      if (run.number("run_attempt").orElse(1L) > 1) {
        before.add(id);
      } else if (run.string("conclusion").filter(FAILED::contains).isPresent()) {
        api.mustWrite("POST", "/actions/runs/" + id + "/rerun-failed-jobs", JsonValue.object());
        again.add(id);
      }
    }
    if (!again.isEmpty()) {
      return new Done(String.join(",", again));
    }
    return before.isEmpty()
        ? new Refused(new ForgeError.Invalid("no workflow of GitHub Actions has failed for it"))
        : new Already(String.join(",", before));
  }

  /** Lets GitHub merge the base into the branch, and waits a moment until it has. */
  ForgeActResult updateBranch(ForgeAct.UpdateBranch act)
      throws ForgeException, InterruptedException {
    JsonValue.Obj pull = pull(act.change().number());
    String head = GitHubSnapshotReader.head(pull);
    if (!head.equals(act.head()) && isUpdateOf(head, act.head())) {
      return new Already(head);
    }
    GitHubChangeWriter.requireOpen(pull, act.head());
    ForgeResponse answer =
        api.write(
            "PUT",
            "/pulls/" + act.change().number() + "/update-branch",
            JsonValue.object().with("expected_head_sha", act.head()));
    if (answer.status() == UNPROCESSABLE) {
      return notUpdated(answer, act.head());
    }
    if (!answer.isSuccess()) {
      throw ForgeErrors.of(answer);
    }
    for (int look = 0; look < MAX_READ_BACKS; look++) {
      String now = readBack(() -> GitHubSnapshotReader.head(pull(act.change().number())));
      if (!now.equals(act.head())) {
        return new Done(now);
      }
      Thread.sleep(readBackInterval);
    }
    return new Unknown("GitHub updates the branch in the background and has not done it yet");
  }

  /** Whether a commit merges something into another commit. */
  private boolean isUpdateOf(String commit, String parent)
      throws ForgeException, InterruptedException {
    List<JsonValue.Obj> parents = api.get("/commits/" + commit).objects("parents");
    return parents.size() > 1
        && parents.getFirst().string("sha").filter(parent::equals).isPresent();
  }

  private static ForgeActResult notUpdated(ForgeResponse answer, String head) {
    String message = ForgeErrors.message(answer);
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("no new commits")) {
      return new Already(head);
    }
    boolean isConflict = lower.contains("conflict") || lower.contains("expected head");
    return new Refused(
        isConflict ? new ForgeError.Conflict(message) : new ForgeError.Invalid(message));
  }

  ForgeActResult merge(ForgeAct.Merge act) throws ForgeException, InterruptedException {
    JsonValue.Obj pull = pull(act.change().number());
    if (isMerged(pull, act.head())) {
      return new Already(pull.string("merge_commit_sha").orElse(""));
    }
    GitHubChangeWriter.requireOpen(pull, act.head());
    JsonValue.Obj body =
        JsonValue.object().with("sha", act.head()).with("merge_method", mergeMethod());
    String path = "/pulls/" + act.change().number();
    ForgeResponse answer = api.write("PUT", path + "/merge", body);
    if (isForBackground(answer)) {
      return mergeInBackground(path, body);
    }
    if (!answer.isSuccess()) {
      throw ForgeErrors.of(answer);
    }
    JsonValue.Obj merged = answer.object();
    return merged.is("merged")
        ? new Done(merged.string("sha").orElse(""))
        : new Refused(new ForgeError.Conflict(ForgeErrors.message(answer)));
  }

  private static boolean isMerged(JsonValue.Obj pull, String head) {
    return GitHubSnapshotReader.state(pull) == ChangeSnapshot.State.MERGED
        && GitHubSnapshotReader.head(pull).equals(head);
  }

  /** Changes that build on each other can only be merged in the background. */
  private static boolean isForBackground(ForgeResponse answer) {
    if (answer.status() != METHOD_NOT_ALLOWED && answer.status() != UNPROCESSABLE) {
      return false;
    }
    String message = ForgeErrors.message(answer).toLowerCase(Locale.ROOT);
    return message.contains("merge-async")
        || message.contains("asynchronous")
        || message.contains("stack");
  }

  private ForgeActResult mergeInBackground(String path, JsonValue.Obj body)
      throws ForgeException, InterruptedException {
    ForgeResponse answer =
        api.write("PUT", path + "/merge-async", body.with("merge_action", "direct_merge"));
    boolean isRunning = answer.status() == 409;
    if (!answer.isSuccess() && !isRunning) {
      throw ForgeErrors.of(answer);
    }
    JsonValue.Obj result = answer.object();
    String uuid = result.object("details").string("uuid").orElse("");
    for (int look = 0; look < MAX_READ_BACKS; look++) {
      switch (result.string("status").orElse("")) {
        case "merged" -> {
          return new Done(result.object("details").string("sha").orElse(""));
        }
        case "failed", "cancelled" -> {
          return new Refused(
              new ForgeError.Conflict(
                  result.object("details").string("message").orElse("GitHub did not merge it")));
        }
        default -> Thread.sleep(readBackInterval);
      }
      if (!uuid.matches("[0-9a-fA-F-]{36}")) {
        break;
      }
      result = readBack(() -> api.get(path + "/merge-async/" + uuid));
    }
    return new Unknown("GitHub merges the change in the background and has not done it yet");
  }

  /** The first of merge, squash and rebase that the repository allows. */
  private String mergeMethod() throws ForgeException, InterruptedException {
    JsonValue.Obj repository = api.get("");
    for (String method : List.of("merge", "squash", "rebase")) {
      String setting = method.equals("merge") ? "allow_merge_commit" : "allow_" + method + "_merge";
      if (repository.is(setting)) {
        return method;
      }
    }
    return "merge";
  }

  /** Adds the change to the queue, or lets GitHub merge it when its rules are met. */
  ForgeActResult enqueue(ForgeAct.Enqueue act) throws ForgeException, InterruptedException {
    long number = GitHubForge.number(act.change().number());
    JsonValue.Obj pull = api.pullRequest(GitHubQuery.LANDING, api.pullRequest(number));
    boolean isHead = pull.string("headRefOid").filter(act.head()::equals).isPresent();
    String state = pull.string("state").orElse("");
    if (state.equals("MERGED") && isHead) {
      return new Already(pull.object("mergeCommit").string("oid").orElse(""));
    }
    if (!state.equals("OPEN") || !isHead) {
      throw new ForgeException(
          new ForgeError.Conflict(
              "the change is " + state + " at " + pull.string("headRefOid").orElse("no head")));
    }
    Optional<String> entry = pull.object("mergeQueueEntry").string("id");
    if (entry.isPresent()) {
      return new Already(entry.get());
    }
    if (pull.object("autoMergeRequest").string("enabledAt").isPresent()) {
      return new Already("");
    }
    JsonValue.Obj variables =
        JsonValue.object().with("id", pull.string("id").orElse("")).with("head", act.head());
    if (pull.object("mergeQueue").string("id").isPresent()) {
      Optional<ForgeActResult> queued = addToQueue(variables);
      if (queued.isPresent()) {
        return queued.get();
      }
    } else if (pull.string("mergeStateStatus").filter("CLEAN"::equals).isPresent()) {
      // GitHub refuses auto-merge for a change that can be merged at once.
      return merge(new ForgeAct.Merge(act.change(), act.head()));
    }
    return enableAutoMerge(variables);
  }

  /** Empty if the queue does not take the change yet: auto-merge adds it when its rules are met. */
  private Optional<ForgeActResult> addToQueue(JsonValue.Obj variables)
      throws ForgeException, InterruptedException {
    try {
      JsonValue.Obj data = api.graphQl(GitHubQuery.ENQUEUE, variables);
      Optional<String> entry =
          data.object("enqueuePullRequest").object("mergeQueueEntry").string("id");
      return Optional.of(
          entry
              .<ForgeActResult>map(Done::new)
              .orElseGet(() -> new Unknown("GitHub named no entry of its queue")));
    } catch (ForgeException e) {
      if (e.error() instanceof ForgeError.Conflict) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private ForgeActResult enableAutoMerge(JsonValue.Obj variables)
      throws ForgeException, InterruptedException {
    JsonValue.Obj data =
        api.graphQl(
            GitHubQuery.AUTO_MERGE,
            variables.with("method", mergeMethod().toUpperCase(Locale.ROOT)));
    boolean isEnabled =
        data.object("enablePullRequestAutoMerge")
            .object("pullRequest")
            .object("autoMergeRequest")
            .string("enabledAt")
            .isPresent();
    return isEnabled
        ? new Done("")
        : new Refused(new ForgeError.Conflict("GitHub did not enable auto-merge"));
  }

  private JsonValue.Obj pull(String number) throws ForgeException, InterruptedException {
    return api.get("/pulls/" + GitHubForge.number(number));
  }
}
