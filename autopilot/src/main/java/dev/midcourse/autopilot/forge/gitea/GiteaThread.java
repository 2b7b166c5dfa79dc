package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.HiddenMarker;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The comments on one line, which are one conversation on the page of the forge. Its id is the id
 * of its first comment.
 *
 * @param comments the first one first
 */
record GiteaThread(List<Obj> comments) {

  /** The line of a comment: negative in the old file. */
  private record Place(String path, long line) {
    static Place of(Obj comment) {
      long line = comment.number("position").orElse(0L);
      return new Place(
          comment.string("path").orElse(""),
          line != 0 ? line : -comment.number("original_position").orElse(0L));
    }
  }

  /** Puts the comments of all reviews into threads. */
  static List<GiteaThread> of(List<Obj> comments) {
    List<Obj> sorted = new ArrayList<>(comments);
    sorted.sort(Comparator.comparing(it -> it.number("id").orElse(0L)));
    Map<Place, List<Obj>> byPlace = new LinkedHashMap<>();
    for (Obj comment : sorted) {
      byPlace.computeIfAbsent(Place.of(comment), _ -> new ArrayList<>()).add(comment);
    }
    return byPlace.values().stream().map(GiteaThread::new).toList();
  }

  Obj first() {
    return comments.getFirst();
  }

  String id() {
    return first().text("id").orElse("");
  }

  boolean isResolved() {
    return comments.stream().anyMatch(it -> !it.object("resolver").fields().isEmpty());
  }

  /** The review that began the thread. */
  String review() {
    return first().text("pull_request_review_id").orElse("");
  }

  Optional<String> commit() {
    return first().string("commit_id").filter(it -> !it.isBlank());
  }

  Optional<Obj> marked(String marker, String login) {
    return comments.stream()
        .filter(it -> GiteaApi.login(it.object("user")).equals(login))
        .filter(it -> HiddenMarker.isIn(it.string("body").orElse(""), marker))
        .findFirst();
  }

  /** A comment at the same place. */
  Obj comment(String body) {
    Place place = Place.of(first());
    return Obj.EMPTY
        .with("path", place.path())
        .with("body", body)
        .with("new_position", Math.max(place.line(), 0))
        .with("old_position", Math.max(-place.line(), 0));
  }

  /**
   * The forge does not say whether the lines of a comment have changed: a thread on an older head
   * is shown as outdated.
   */
  ReviewThread shown(String head) {
    Place place = Place.of(first());
    return new ReviewThread(
        id(),
        Optional.of(place.path()).filter(it -> !it.isEmpty()),
        Math.toIntExact(Math.min(Math.abs(place.line()), Integer.MAX_VALUE)),
        isResolved(),
        commit().filter(it -> !it.equals(head)).isPresent(),
        comments.stream().map(it -> comment(it, "user")).toList());
  }

  static RemoteComment comment(Obj json, String author) {
    Obj user = json.object(author);
    return new RemoteComment(
        json.text("id").orElse(""),
        GiteaApi.login(user),
        GiteaApi.isBot(user),
        json.string("body").orElse(""),
        GiteaApi.time(json.string("created_at").orElse("")));
  }
}
