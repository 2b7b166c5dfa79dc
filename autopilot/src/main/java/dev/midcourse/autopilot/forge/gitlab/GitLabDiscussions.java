package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.util.List;
import java.util.Optional;

/**
 * The discussions of a merge request. One that can be resolved is a thread; the notes of the others
 * are comments, except those that GitLab itself has written.
 *
 * @param all as GitLab describes them
 */
record GitLabDiscussions(List<Obj> all) {

  List<ReviewThread> threads(String head) {
    return all.stream().filter(it -> isThread(it)).map(it -> thread(it, head)).toList();
  }

  List<RemoteComment> comments() {
    return all.stream()
        .filter(it -> !isThread(it))
        .flatMap(it -> it.objects("notes").stream())
        .filter(it -> !it.is("system"))
        .map(GitLabDiscussions::comment)
        .toList();
  }

  /** The notes that GitLab has written about events, the oldest one first. */
  List<Obj> events() {
    return notes().filter(it -> it.is("system")).toList();
  }

  /** The notes that begin a thread. */
  List<Obj> threadStarts() {
    return all.stream()
        .filter(GitLabDiscussions::isThread)
        .map(it -> it.objects("notes").getFirst())
        .toList();
  }

  private java.util.stream.Stream<Obj> notes() {
    return all.stream().flatMap(it -> it.objects("notes").stream());
  }

  static boolean isThread(Obj discussion) {
    return discussion.objects("notes").stream().anyMatch(it -> it.is("resolvable"));
  }

  static boolean isResolved(Obj discussion) {
    return discussion.objects("notes").stream()
        .filter(it -> it.is("resolvable"))
        .allMatch(it -> it.is("resolved"));
  }

  /**
   * GitLab moves the position of a note to the newest version of the merge request while its lines
   * are there.
   */
  private static ReviewThread thread(Obj discussion, String head) {
    List<Obj> notes = discussion.objects("notes");
    Obj position = notes.getFirst().object("position");
    Optional<String> path = position.string("new_path").or(() -> position.string("old_path"));
    long line = position.number("new_line").or(() -> position.number("old_line")).orElse(0L);
    boolean outdated = position.string("head_sha").filter(sha -> !sha.equals(head)).isPresent();
    return new ReviewThread(
        discussion.string("id").orElse(""),
        path,
        Math.toIntExact(Math.min(line, Integer.MAX_VALUE)),
        isResolved(discussion),
        outdated,
        notes.stream().filter(it -> !it.is("system")).map(GitLabDiscussions::comment).toList());
  }

  private static RemoteComment comment(Obj note) {
    Obj author = note.object("author");
    return new RemoteComment(
        note.text("id").orElse(""),
        GitLabApi.login(author),
        GitLabApi.isBot(author),
        note.string("body").orElse(""),
        GitLabApi.time(note.string("created_at").orElse("")));
  }
}
