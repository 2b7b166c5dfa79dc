package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the threads of a pull request and the comments in them, page by page. Resolved and outdated
 * ones are read too.
 */
final class GitHubThreadReader {
  private static final int MAX_THREAD_PAGES = 20;

  /** Pages of comments of all threads together, without the first page of each. */
  private static final int MAX_COMMENT_PAGES = 50;

  private final GitHubApi api;

  GitHubThreadReader(GitHubApi api) {
    this.api = api;
  }

  /**
   * What GraphQL knows of a pull request.
   *
   * @param pullRequest without its threads
   * @param incomplete why there are more threads or comments than these
   */
  record Threads(
      JsonValue.Obj pullRequest, List<ReviewThread> threads, Optional<String> incomplete) {}

  /**
   * A comment as it is stored.
   *
   * @param number its id in REST
   * @param ours whether it was written with the credential in use
   */
  record StoredComment(RemoteComment comment, String number, boolean ours) {}

  /**
   * All comments of a thread.
   *
   * @param incomplete why there are more comments than these
   */
  record StoredThread(
      boolean resolved, List<StoredComment> comments, Optional<String> incomplete) {}

  /** Reads all threads. Throws only if the first page cannot be read. */
  Threads threads(long number) throws ForgeException, InterruptedException {
    List<ReviewThread> threads = new ArrayList<>();
    CommentPages commentPages = new CommentPages();
    JsonValue.Obj first = JsonValue.object();
    Optional<String> after = Optional.empty();
    for (int page = 1; page <= MAX_THREAD_PAGES; page++) {
      JsonValue.Obj found;
      try {
        found = api.pullRequest(GitHubQuery.THREADS, api.pullRequest(number).with("after", after));
      } catch (ForgeException e) {
        if (page == 1) {
          throw e;
        }
        return new Threads(first, threads, Optional.of(e.error().message()));
      }
      first = page == 1 ? found : first;
      for (JsonValue.Obj thread : found.object("reviewThreads").objects("nodes")) {
        threads.add(thread(thread, commentPages));
      }
      after = next(found.object("reviewThreads"));
      if (after.isEmpty()) {
        return new Threads(first, threads, commentPages.incomplete);
      }
    }
    return new Threads(first, threads, Optional.of("more than " + threads.size() + " threads"));
  }

  /** What is left to read of comments, and what could not be read. */
  private static final class CommentPages {
    private int read;
    private Optional<String> incomplete = Optional.empty();
  }

  private ReviewThread thread(JsonValue.Obj thread, CommentPages pages)
      throws InterruptedException {
    String id = thread.string("id").orElse("");
    List<StoredComment> comments = new ArrayList<>(comments(thread.object("comments")));
    Optional<String> after = next(thread.object("comments"));
    while (after.isPresent() && pages.incomplete.isEmpty()) {
      if (++pages.read > MAX_COMMENT_PAGES) {
        pages.incomplete = Optional.of("more comments in threads than can be read");
        break;
      }
      try {
        JsonValue.Obj page = node(id, after).object("comments");
        comments.addAll(comments(page));
        after = next(page);
      } catch (ForgeException e) {
        pages.incomplete = Optional.of("comments of a thread: " + e.error().message());
      }
    }
    return new ReviewThread(
        id,
        thread.string("path").filter(path -> !path.isEmpty()),
        (int) (long) thread.number("line").or(() -> thread.number("originalLine")).orElse(0L),
        thread.is("isResolved"),
        thread.is("isOutdated"),
        comments.stream().map(StoredComment::comment).toList());
  }

  /** Reads one thread by its id. */
  StoredThread thread(String id) throws ForgeException, InterruptedException {
    List<StoredComment> comments = new ArrayList<>();
    Optional<String> after = Optional.empty();
    boolean resolved = false;
    for (int page = 0; page < MAX_COMMENT_PAGES; page++) {
      JsonValue.Obj thread = node(id, after);
      resolved = thread.is("isResolved");
      comments.addAll(comments(thread.object("comments")));
      after = next(thread.object("comments"));
      if (after.isEmpty()) {
        return new StoredThread(resolved, comments, Optional.empty());
      }
    }
    return new StoredThread(resolved, comments, Optional.of("more comments than can be read"));
  }

  /** Reads all comments on the whole change. */
  List<StoredComment> commentsOfChange(long number) throws ForgeException, InterruptedException {
    List<StoredComment> comments = new ArrayList<>();
    Optional<String> after = Optional.empty();
    for (int page = 0; page < MAX_COMMENT_PAGES; page++) {
      JsonValue.Obj found =
          api.pullRequest(
                  GitHubQuery.COMMENTS_OF_CHANGE, api.pullRequest(number).with("after", after))
              .object("comments");
      comments.addAll(comments(found));
      after = next(found);
      if (after.isEmpty()) {
        return comments;
      }
    }
    throw new ForgeException(
        new ForgeError.Outage("the change has more than " + comments.size() + " comments"));
  }

  private JsonValue.Obj node(String id, Optional<String> after)
      throws ForgeException, InterruptedException {
    JsonValue.Obj node =
        api.graphQl(GitHubQuery.THREAD, JsonValue.object().with("id", id).with("after", after))
            .object("node");
    if (node.get("comments").isEmpty()) {
      throw new ForgeException(new ForgeError.NotFound("there is no such thread"));
    }
    return node;
  }

  private static Optional<String> next(JsonValue.Obj connection) {
    JsonValue.Obj info = connection.object("pageInfo");
    return info.is("hasNextPage") ? info.string("endCursor") : Optional.empty();
  }

  private static List<StoredComment> comments(JsonValue.Obj connection) {
    return connection.objects("nodes").stream()
        .map(node ->
            new StoredComment(
                new RemoteComment(
                    node.string("id").orElse(""),
                    GitHubLogins.ofGraphQl(node.object("author")),
                    GitHubLogins.isGraphQlBot(node.object("author")),
                    node.string("body").orElse(""),
                    time(node.string("createdAt"))),
                node.text("fullDatabaseId").orElse(""),
                node.is("viewerDidAuthor")))
        .toList();
  }

  /** The time as GitHub writes it; the beginning of time if there is none. */
  static Instant time(Optional<String> text) {
    try {
      return text.map(Instant::parse).orElse(Instant.EPOCH);
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }
}
