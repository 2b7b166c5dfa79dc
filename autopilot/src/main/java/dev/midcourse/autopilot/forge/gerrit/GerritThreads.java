package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.autopilot.forge.HiddenMarker;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The comments of a change as threads. Gerrit has no threads: a comment names the comment that it
 * replies to, and the newest one says whether the thread is resolved.
 */
final class GerritThreads {
  private static final int MAX_DEPTH = 10_000;

  /** A comment, and how many comments it is a reply to. */
  private record Placed(Obj comment, int depth) {}

  /**
   * A thread as Gerrit needs it for a reply.
   *
   * @param file the key under which its comments are
   */
  record CommentThread(String file, List<Obj> comments) {
    Obj root() {
      return comments.getFirst();
    }

    Obj last() {
      return comments.getLast();
    }

    String id() {
      return root().string("id").orElse("");
    }

    boolean isResolved() {
      return !last().is("unresolved");
    }

    long patchSet() {
      return root().number("patch_set").orElse(0L);
    }

    /** The comment of an account with this mark in it. */
    Optional<Obj> marked(String marker, String login) {
      return comments.stream()
          .filter(it -> GerritApi.login(it.object("author")).equals(login))
          .filter(it -> HiddenMarker.isIn(it.string("message").orElse(""), marker))
          .findFirst();
    }
  }

  private GerritThreads() {}

  /** Reads the answer that has all comments by their file. */
  static List<CommentThread> read(Obj commentsByFile) {
    List<CommentThread> threads = new ArrayList<>();
    commentsByFile
        .fields()
        .forEach((file, comments) -> {
          if (comments instanceof Arr array) {
            threads.addAll(ofFile(file, array.objects()));
          }
        });
    return threads;
  }

  private static List<CommentThread> ofFile(String file, List<Obj> comments) {
    Map<String, Obj> byId = new HashMap<>();
    comments.forEach(it -> it.string("id").ifPresent(id -> byId.put(id, it)));
    Map<String, List<Placed>> byRoot = new LinkedHashMap<>();
    for (Obj comment : comments) {
      Obj root = comment;
      int depth = 0;
      Optional<Obj> parent = parent(byId, root);
      while (parent.isPresent() && depth < MAX_DEPTH) {
        root = parent.get();
        depth++;
        parent = parent(byId, root);
      }
      byRoot
          .computeIfAbsent(root.string("id").orElse(""), _ -> new ArrayList<>())
          .add(new Placed(comment, depth));
    }
    List<CommentThread> threads = new ArrayList<>();
    for (List<Placed> placed : byRoot.values()) {
      // Times have whole seconds; a reply comes after what it replies to.
      placed.sort(Comparator.comparing(GerritThreads::time).thenComparingInt(Placed::depth));
      threads.add(new CommentThread(file, placed.stream().map(Placed::comment).toList()));
    }
    return threads;
  }

  private static Optional<Obj> parent(Map<String, Obj> byId, Obj comment) {
    return comment.string("in_reply_to").map(byId::get);
  }

  private static java.time.Instant time(Placed placed) {
    return GerritApi.time(placed.comment().string("updated").orElse(""));
  }

  /**
   * Shows a thread.
   *
   * @param patchSet the newest patch set
   * @param ported comments of older patch sets by their file, where they are in the newest one
   */
  static ReviewThread show(CommentThread thread, long patchSet, Obj ported) {
    boolean isFile = !thread.file().startsWith("/");
    long line = thread.root().number("line").orElse(0L);
    boolean outdated = thread.patchSet() < patchSet;
    if (outdated) {
      Optional<Long> moved = portedLine(thread, ported);
      outdated = moved.isEmpty();
      line = moved.orElse(line);
    }
    return new ReviewThread(
        thread.id(),
        isFile ? Optional.of(thread.file()) : Optional.empty(),
        isFile ? Math.toIntExact(Math.min(line, Integer.MAX_VALUE)) : 0,
        thread.isResolved(),
        outdated,
        thread.comments().stream().map(GerritThreads::comment).toList());
  }

  /** The line that the lines of a thread have become; empty if they were changed. */
  private static Optional<Long> portedLine(CommentThread thread, Obj ported) {
    for (JsonValue comments : ported.fields().values()) {
      if (comments instanceof Arr array) {
        for (Obj comment : array.objects()) {
          if (comment.string("id").orElse("").equals(thread.id())) {
            return comment.number("line");
          }
        }
      }
    }
    return Optional.empty();
  }

  private static RemoteComment comment(Obj comment) {
    Obj author = comment.object("author");
    return new RemoteComment(
        comment.string("id").orElse(""),
        GerritApi.login(author),
        GerritApi.isBot(author),
        comment.string("message").orElse(""),
        GerritApi.time(comment.string("updated").orElse("")));
  }
}
