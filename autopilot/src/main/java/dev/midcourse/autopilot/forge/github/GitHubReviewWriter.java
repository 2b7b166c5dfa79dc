package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.HiddenMarker;
import dev.midcourse.autopilot.forge.github.GitHubThreadReader.StoredComment;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.ForgeActResult.Refused;
import dev.midcourse.core.loop.forge.ForgeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks for reviews, replies, resolves and comments. A comment is taken for one of ours only if it
 * has the marker and GitHub says that it was written with our credential.
 */
final class GitHubReviewWriter {
  private final GitHubApi api;
  private final GitHubThreadReader threads;

  GitHubReviewWriter(GitHubApi api) {
    this.api = api;
    this.threads = new GitHubThreadReader(api);
  }

  /**
   * What shows that a reviewer is asked, or has answered.
   *
   * @param waiting whether the reviewer is among those who are asked
   * @param review the id of a review of the head by the reviewer
   * @param events the events by which the reviewer was asked, old ones too
   */
  private record Evidence(boolean waiting, Optional<String> review, List<String> events) {}

  ForgeActResult requestReview(ForgeAct.RequestReview act)
      throws ForgeException, InterruptedException {
    long number = GitHubForge.number(act.change().number());
    String reviewer = GitHubLogins.reviewer(act.reviewer());
    JsonValue.Obj pull = api.get("/pulls/" + number);
    GitHubChangeWriter.requireOpen(pull, act.head());
    Evidence before = evidence(number, reviewer, act.head());
    if (before.waiting() || before.review().isPresent()) {
      return new Already(before.review().orElse(reviewer));
    }
    int slash = reviewer.indexOf('/');
    JsonValue.Obj body =
        slash >= 0
            ? JsonValue.object()
                .with("team_reviewers", JsonValue.strings(List.of(reviewer.substring(slash + 1))))
            : JsonValue.object()
                .with("reviewers", JsonValue.strings(List.of(GitHubLogins.toAsk(reviewer))));
    api.mustWrite("POST", "/pulls/" + number + "/requested_reviewers", body);
    Evidence after = readBack(() -> evidence(number, reviewer, act.head()));
    boolean isAsked =
        after.waiting()
            || after.review().isPresent()
            || after.events().stream().anyMatch(event -> !before.events().contains(event));
    return isAsked
        ? new Done(after.review().orElse(reviewer))
        : new Refused(
            new ForgeError.Invalid(
                "GitHub took the request for a review, but "
                    + reviewer
                    + " is not among the requested reviewers"));
  }

  private Evidence evidence(long number, String reviewer, String head)
      throws ForgeException, InterruptedException {
    JsonValue.Obj pull = api.pullRequest(GitHubQuery.REVIEW_REQUESTS, api.pullRequest(number));
    boolean waiting =
        pull.object("reviewRequests").objects("nodes").stream()
            .anyMatch(request -> isReviewer(request.object("requestedReviewer"), reviewer));
    Optional<String> review =
        pull.object("reviews").objects("nodes").stream()
            .filter(one -> GitHubLogins.ofGraphQl(one.object("author")).equalsIgnoreCase(reviewer))
            .filter(one -> one.object("commit").string("oid").filter(head::equals).isPresent())
            .filter(one -> one.string("state").filter("PENDING"::equals).isEmpty())
            .findFirst()
            .map(one -> one.string("id").orElse(""));
    List<String> events = new ArrayList<>();
    for (JsonValue.Obj event : pull.object("timelineItems").objects("nodes")) {
      if (isReviewer(event.object("requestedReviewer"), reviewer)) {
        events.add(event.string("id").orElse(""));
      }
    }
    return new Evidence(waiting, review, events);
  }

  private static boolean isReviewer(JsonValue.Obj found, String reviewer) {
    return found
        .string("combinedSlug")
        .orElseGet(() -> GitHubLogins.ofGraphQl(found))
        .equalsIgnoreCase(reviewer);
  }

  ForgeActResult reply(ForgeAct.Reply act) throws ForgeException, InterruptedException {
    GitHubThreadReader.StoredThread thread = threads.thread(act.thread());
    Optional<StoredComment> ours = ours(thread.comments(), act.marker());
    if (ours.isPresent()) {
      return new Already(ours.get().number());
    }
    if (thread.incomplete().isPresent()) {
      throw new ForgeException(new ForgeError.Outage(thread.incomplete().get()));
    }
    if (thread.comments().isEmpty()) {
      throw new ForgeException(new ForgeError.NotFound("the thread has no comments any more"));
    }
    JsonValue.Obj comment =
        api.mustWrite(
                "POST",
                "/pulls/%d/comments/%s/replies"
                    .formatted(
                        GitHubForge.number(act.change().number()),
                        thread.comments().getFirst().number()),
                JsonValue.object().with("body", HiddenMarker.append(act.body(), act.marker())))
            .object();
    return new Done(comment.text("id").orElse(""));
  }

  ForgeActResult resolve(ForgeAct.Resolve act) throws ForgeException, InterruptedException {
    if (threads.thread(act.thread()).resolved()) {
      return new Already(act.thread());
    }
    JsonValue.Obj data =
        api.graphQl(GitHubQuery.RESOLVE, JsonValue.object().with("id", act.thread()));
    return data.object("resolveReviewThread").object("thread").is("isResolved")
        ? new Done(act.thread())
        : new Refused(new ForgeError.Conflict("GitHub still shows the thread as open"));
  }

  ForgeActResult comment(ForgeAct.Comment act) throws ForgeException, InterruptedException {
    long number = GitHubForge.number(act.change().number());
    String body = HiddenMarker.append(act.body(), act.marker());
    Optional<StoredComment> ours = ours(threads.commentsOfChange(number), act.marker());
    if (ours.isEmpty()) {
      JsonValue.Obj comment =
          api.mustWrite(
                  "POST", "/issues/" + number + "/comments", JsonValue.object().with("body", body))
              .object();
      return new Done(comment.text("id").orElse(""));
    }
    StoredComment stored = ours.get();
    if (stored.comment().body().replace("\r\n", "\n").equals(body.replace("\r\n", "\n"))) {
      return new Already(stored.number());
    }
    api.mustWrite(
        "PATCH", "/issues/comments/" + stored.number(), JsonValue.object().with("body", body));
    return new Done(stored.number());
  }

  private static Optional<StoredComment> ours(List<StoredComment> comments, String marker) {
    return comments.stream()
        .filter(StoredComment::ours)
        .filter(stored -> HiddenMarker.isIn(stored.comment().body(), marker))
        .findFirst();
  }

  /** Reads something. */
  @FunctionalInterface
  interface Reading<T> {
    T read() throws ForgeException, InterruptedException;
  }

  /** Reads after a write: a failure to read does not mean that the write was not done. */
  static <T> T readBack(Reading<T> reading) throws ForgeException, InterruptedException {
    try {
      return reading.read();
    } catch (ForgeException e) {
      throw new ForgeException(e.error(), true);
    }
  }
}
