package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgePages;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a pull request whole. The head is read first and last; if it has moved in between, all is
 * read again.
 */
final class GitHubSnapshotReader {
  private static final int MAX_TRIES = 3;

  private final GitHubApi api;
  private final GitHubThreadReader threads;
  private final GitHubCheckReader checks;

  GitHubSnapshotReader(GitHubApi api) {
    this.api = api;
    this.threads = new GitHubThreadReader(api);
    this.checks = new GitHubCheckReader(api);
  }

  ChangeSnapshot read(ChangeRef ref) throws ForgeException, InterruptedException {
    long number = GitHubForge.number(ref.number());
    JsonValue.Obj before = api.get("/pulls/" + number);
    for (int attempt = 1; ; attempt++) {
      String head = head(before);
      Parts parts = parts(number, head);
      JsonValue.Obj after = api.get("/pulls/" + number);
      boolean isSame =
          head(after).equals(head)
              && parts.headOfThreads.filter(other -> !other.equals(head)).isEmpty();
      if (isSame || attempt == MAX_TRIES) {
        if (!isSame) {
          parts.missing.add("the head moved while it was read");
        }
        return snapshot(after, parts);
      }
      before = after;
    }
  }

  /** What was read apart from the pull request itself. */
  private static final class Parts {
    private final List<String> missing = new ArrayList<>();
    private List<JsonValue.Obj> reviews = List.of();
    private List<JsonValue.Obj> comments = List.of();
    private List<ReviewThread> threads = List.of();
    private final List<RemoteCheck> checks = new ArrayList<>();
    private JsonValue.Obj merging = JsonValue.object();
    private Optional<String> headOfThreads = Optional.empty();
  }

  /** Reads a part. */
  @FunctionalInterface
  private interface Reading {
    /** Returns why the part is incomplete. */
    Optional<String> read() throws ForgeException, InterruptedException;
  }

  private Parts parts(long number, String head) throws ForgeException, InterruptedException {
    Parts parts = new Parts();
    read(
        parts,
        "threads",
        () -> {
          GitHubThreadReader.Threads found = threads.threads(number);
          parts.threads = found.threads();
          parts.merging = found.pullRequest();
          parts.headOfThreads = found.pullRequest().string("headRefOid");
          return found.incomplete();
        });
    read(
        parts,
        "reviews",
        () -> {
          ForgePages found = api.list("/pulls/" + number + "/reviews");
          parts.reviews = found.items();
          return found.incomplete();
        });
    read(
        parts,
        "comments",
        () -> {
          ForgePages found = api.list("/issues/" + number + "/comments");
          parts.comments = found.items();
          return found.incomplete();
        });
    read(
        parts,
        "check runs",
        () -> {
          GitHubCheckReader.Checks found = checks.checkRuns(head);
          parts.checks.addAll(found.checks());
          return found.incomplete();
        });
    read(
        parts,
        "statuses",
        () -> {
          GitHubCheckReader.Checks found = checks.statuses(head);
          parts.checks.addAll(found.checks());
          return found.incomplete();
        });
    return parts;
  }

  /** Reads a part; a failure is noted. A limit and a rejected token end the reading. */
  private static void read(Parts parts, String name, Reading reading)
      throws ForgeException, InterruptedException {
    try {
      reading.read().ifPresent(why -> parts.missing.add(name + ": " + why));
    } catch (ForgeException e) {
      switch (e.error()) {
        case ForgeError.Limited _, ForgeError.Unauthorized _ -> throw e;
        case ForgeError.Forbidden _,
            ForgeError.NotFound _,
            ForgeError.Conflict _,
            ForgeError.Invalid _,
            ForgeError.Outage _ ->
            parts.missing.add(name + ": " + e.error().message());
      }
    }
  }

  private static ChangeSnapshot snapshot(JsonValue.Obj pull, Parts parts) {
    return new ChangeSnapshot(
        ref(pull),
        state(pull),
        head(pull),
        pull.object("base").string("ref").orElse(""),
        pull.is("draft"),
        mergeability(pull, parts.merging),
        requested(pull),
        parts.reviews.stream().map(GitHubSnapshotReader::review).toList(),
        parts.threads,
        parts.comments.stream().map(GitHubSnapshotReader::comment).toList(),
        parts.checks,
        parts.missing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts.missing)));
  }

  static ChangeRef ref(JsonValue.Obj pull) {
    return new ChangeRef(pull.text("number").orElse(""), pull.string("html_url").orElse(""));
  }

  static String head(JsonValue.Obj pull) {
    return pull.object("head").string("sha").orElse("");
  }

  static ChangeSnapshot.State state(JsonValue.Obj pull) {
    if (pull.is("merged") || pull.string("merged_at").isPresent()) {
      return ChangeSnapshot.State.MERGED;
    }
    return pull.string("state").filter("open"::equals).isPresent()
        ? ChangeSnapshot.State.OPEN
        : ChangeSnapshot.State.CLOSED;
  }

  /** What both interfaces say. While GitHub computes it, one of them says nothing. */
  private static Mergeability mergeability(JsonValue.Obj pull, JsonValue.Obj graphQl) {
    if (!(pull.get("mergeable").orElse(new JsonValue.Null()) instanceof JsonValue.Bool merges)) {
      return Mergeability.UNKNOWN;
    }
    if (!merges.value() || graphQl.string("mergeable").filter("CONFLICTING"::equals).isPresent()) {
      return Mergeability.CONFLICT;
    }
    if (graphQl.string("mergeable").filter("MERGEABLE"::equals).isEmpty()) {
      return Mergeability.UNKNOWN;
    }
    if (pull.is("draft")) {
      return Mergeability.BLOCKED;
    }
    return switch (graphQl.string("mergeStateStatus").orElse("")) {
      case "CLEAN", "HAS_HOOKS", "UNSTABLE" -> Mergeability.YES;
      case "BEHIND" -> Mergeability.BEHIND;
      case "DIRTY" -> Mergeability.CONFLICT;
      case "BLOCKED", "DRAFT" -> Mergeability.BLOCKED;
      default -> Mergeability.UNKNOWN;
    };
  }

  static Set<String> requested(JsonValue.Obj pull) {
    Set<String> requested = new LinkedHashSet<>();
    for (JsonValue.Obj user : pull.objects("requested_reviewers")) {
      requested.add(GitHubLogins.ofRest(user));
    }
    String owner = pull.object("base").object("user").string("login").orElse("");
    for (JsonValue.Obj team : pull.objects("requested_teams")) {
      team.string("slug").ifPresent(slug -> requested.add(owner + "/" + slug));
    }
    return requested;
  }

  private static RemoteReview review(JsonValue.Obj review) {
    return new RemoteReview(
        review.text("id").orElse(""),
        GitHubLogins.ofRest(review.object("user")),
        GitHubLogins.isRestBot(review.object("user")),
        review.string("commit_id"),
        switch (review.string("state").orElse("")) {
          case "APPROVED" -> RemoteReview.State.APPROVED;
          case "CHANGES_REQUESTED" -> RemoteReview.State.CHANGES_REQUESTED;
          case "DISMISSED" -> RemoteReview.State.DISMISSED;
          case "PENDING" -> RemoteReview.State.PENDING;
          default -> RemoteReview.State.COMMENTED;
        },
        review.string("body").orElse(""),
        GitHubThreadReader.time(review.string("submitted_at")));
  }

  private static RemoteComment comment(JsonValue.Obj comment) {
    return new RemoteComment(
        comment.text("id").orElse(""),
        GitHubLogins.ofRest(comment.object("user")),
        GitHubLogins.isRestBot(comment.object("user")),
        comment.string("body").orElse(""),
        GitHubThreadReader.time(comment.string("created_at")));
  }
}
