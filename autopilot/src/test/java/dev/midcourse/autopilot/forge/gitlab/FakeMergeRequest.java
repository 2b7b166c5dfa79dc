package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Null;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A merge request of {@link FakeGitLab}. */
final class FakeMergeRequest {
  /** A note, which may be in a discussion. */
  static final class Note {
    final long id;
    final String author;
    final boolean system;
    final String createdAt;
    String body;
    Optional<Obj> position;
    boolean resolved;

    Note(
        long id,
        String author,
        String body,
        boolean system,
        Optional<Obj> position,
        String createdAt) {
      this.id = id;
      this.author = author;
      this.body = body;
      this.system = system;
      this.position = position;
      this.createdAt = createdAt;
    }
  }

  /**
   * A discussion.
   *
   * @param single whether it is one note that cannot be resolved
   */
  record Discussion(String id, boolean single, List<Note> notes) {}

  /** A push. */
  record Version(long id, String head, String base, String createdAt) {}

  final long iid;
  final String source;
  String target;
  String title;
  String description;
  String state = "opened";
  String sha;
  boolean checked;
  boolean autoMerge;
  boolean rebasing;
  final String author;
  final String createdAt;

  /** The states of the reviews, by login. */
  final Map<String, String> reviewers = new LinkedHashMap<>();

  final Set<String> approvals = new TreeSet<>();
  final List<Discussion> discussions = new ArrayList<>();
  final List<Version> versions = new ArrayList<>();

  FakeMergeRequest(
      long iid, String author, String source, String target, String sha, String createdAt) {
    this.iid = iid;
    this.author = author;
    this.source = source;
    this.target = target;
    this.sha = sha;
    this.createdAt = createdAt;
    this.title = "";
    this.description = "";
  }

  boolean isDraft() {
    return title.startsWith("Draft:");
  }

  /** The form of a discussion. */
  Obj json(FakeGitLab server, Discussion discussion) {
    return Obj.EMPTY
        .with("id", discussion.id())
        .with("individual_note", discussion.single())
        .with(
            "notes",
            new Arr(
                discussion.notes().stream()
                    .map(it -> (JsonValue) json(server, discussion, it))
                    .toList()));
  }

  Obj json(FakeGitLab server, Discussion discussion, Note note) {
    boolean resolvable = !discussion.single() && !note.system;
    Obj json =
        Obj.EMPTY
            .with("id", note.id)
            .with(
                "type",
                note.position.isPresent()
                    ? JsonValue.of("DiffNote")
                    : discussion.single() ? new Null() : JsonValue.of("DiscussionNote"))
            .with("body", note.body)
            .with("attachment", new Null())
            .with("author", server.user(note.author))
            .with("created_at", note.createdAt)
            .with("updated_at", note.createdAt)
            .with("system", note.system)
            .with("noteable_id", 1000 + iid)
            .with("noteable_type", "MergeRequest")
            .with("noteable_iid", iid)
            .with("project_id", 1)
            .with("resolvable", resolvable);
    if (resolvable) {
      json = json.with("resolved", note.resolved);
    }
    return note.position.isPresent() ? json.with("position", note.position.get()) : json;
  }
}
