package dev.midcourse.autopilot.forge.gitea;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A pull request of {@link FakeGitea}. */
final class FakePull {
  /** A comment on a line. */
  static final class LineComment {
    final long id;
    final String author;
    final String body;
    final String path;
    final long line;
    final String commit;
    final String createdAt;
    String resolver = "";

    LineComment(
        long id,
        String author,
        String body,
        String path,
        long line,
        String commit,
        String createdAt) {
      this.id = id;
      this.author = author;
      this.body = body;
      this.path = path;
      this.line = line;
      this.commit = commit;
      this.createdAt = createdAt;
    }
  }

  /** A review with its comments. */
  record Review(
      long id,
      String author,
      String state,
      String body,
      String commit,
      String createdAt,
      List<LineComment> comments) {}

  /** A comment on the whole pull request. */
  static final class Comment {
    final long id;
    final String author;
    final String createdAt;
    String body;

    Comment(long id, String author, String body, String createdAt) {
      this.id = id;
      this.author = author;
      this.body = body;
      this.createdAt = createdAt;
    }
  }

  final long number;
  final String author;
  final String branch;
  final String createdAt;
  String base;
  String title;
  String body;
  String head;
  boolean closed;
  boolean merged;
  boolean checked;
  boolean scheduled;
  final Set<String> requested = new TreeSet<>();
  final List<Review> reviews = new ArrayList<>();
  final List<Comment> comments = new ArrayList<>();

  FakePull(
      long number,
      String author,
      String branch,
      String base,
      String title,
      String body,
      String head,
      String createdAt) {
    this.number = number;
    this.author = author;
    this.branch = branch;
    this.base = base;
    this.title = title;
    this.body = body;
    this.head = head;
    this.createdAt = createdAt;
  }

  boolean isDraft() {
    return title.startsWith("WIP:") || title.startsWith("[WIP]");
  }

  boolean isOpen() {
    return !closed && !merged;
  }
}
