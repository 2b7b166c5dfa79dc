package dev.midcourse.autopilot.forge.github;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A pull request of {@link FakeGitHub}. All fields are guarded by the fake. */
final class FakePullRequest {
  final long number;
  final String author;
  final String branch;
  String base;
  String title;
  String body;
  boolean draft;
  boolean closed;
  Optional<String> mergeCommit = Optional.empty();
  String headAtEnd = "";

  /** Empty while GitHub computes it. */
  Optional<Boolean> mergeable = Optional.of(true);

  String mergeState = "CLEAN";
  boolean stacked;
  boolean autoMerge;
  Optional<String> queueEntry = Optional.empty();
  final Set<String> requested = new LinkedHashSet<>();

  /** Who was asked, in order, also those who have answered. */
  final List<String> askedOnce = new ArrayList<>();

  final List<Review> reviews = new ArrayList<>();
  final List<Comment> comments = new ArrayList<>();
  final List<FakeThread> threads = new ArrayList<>();

  FakePullRequest(
      long number, String author, String branch, String base, String title, String body) {
    this.number = number;
    this.author = author;
    this.branch = branch;
    this.base = base;
    this.title = title;
    this.body = body;
  }

  /** A review. */
  record Review(long id, String author, String state, Optional<String> head, String body) {}

  /** A comment, on the whole change or in a thread. */
  static final class Comment {
    final long id;
    final String author;
    final Instant time;
    String body;

    Comment(long id, String author, String body, Instant time) {
      this.id = id;
      this.author = author;
      this.body = body;
      this.time = time;
    }
  }

  /** A thread. */
  static final class FakeThread {
    final String id;
    final String path;
    final Optional<Integer> line;
    final int originalLine;
    boolean resolved;
    boolean outdated;
    final List<Comment> comments = new ArrayList<>();

    FakeThread(String id, String path, Optional<Integer> line, int originalLine) {
      this.id = id;
      this.path = path;
      this.line = line;
      this.originalLine = originalLine;
    }
  }
}
