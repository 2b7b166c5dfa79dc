package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.RemoteReview;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The verdicts on a merge request. They are in the notes that GitLab writes about events, and count
 * only while GitLab names their author as an approver or as somebody who asks for changes.
 *
 * @param discussions has the events, and the threads that people have begun
 * @param approvals the answer about approvals
 * @param reviewers the reviewers with the states of their reviews
 * @param versions the pushes to the merge request
 * @param own the login of Midcourse, whose threads are no reviews
 */
record GitLabReviews(
    GitLabDiscussions discussions,
    Obj approvals,
    List<Obj> reviewers,
    List<Obj> versions,
    String own) {
  private static final Set<String> UNANSWERED = Set.of("unreviewed", "review_started");

  List<RemoteReview> all() {
    List<RemoteReview> reviews = new ArrayList<>();
    for (Obj event : discussions.events()) {
      state(event).ifPresent(state -> reviews.add(review(event, state)));
    }
    reviews.addAll(withThreads());
    reviews.addAll(withoutEvent(reviews));
    reviews.sort(Comparator.comparing(RemoteReview::submittedAt));
    return reviews;
  }

  /** The reviewers who are asked and have not answered yet. */
  Set<String> requested() {
    return reviewers.stream()
        .filter(it -> UNANSWERED.contains(it.string("state").orElse("unreviewed")))
        .map(it -> GitLabApi.login(it.object("user")))
        .collect(Collectors.toSet());
  }

  private Optional<RemoteReview.State> state(Obj event) {
    String text = event.string("body").orElse("").strip().toLowerCase(Locale.ROOT);
    String login = GitLabApi.login(event.object("author"));
    if (text.equals("approved this merge request")) {
      return Optional.of(
          isLast(event, text) && approvers().contains(login)
              ? RemoteReview.State.APPROVED
              : RemoteReview.State.DISMISSED);
    }
    if (text.equals("requested changes")) {
      return Optional.of(
          hasState(login, "requested_changes") && isLast(event, text)
              ? RemoteReview.State.CHANGES_REQUESTED
              : RemoteReview.State.DISMISSED);
    }
    return Optional.empty();
  }

  /** An older event with the same text was replaced by the last one. */
  private boolean isLast(Obj event, String text) {
    String login = GitLabApi.login(event.object("author"));
    return discussions.events().stream()
        .filter(it -> GitLabApi.login(it.object("author")).equals(login))
        .filter(it -> it.string("body").orElse("").strip().equalsIgnoreCase(text))
        .reduce((_, last) -> last)
        .filter(event::equals)
        .isPresent();
  }

  private Set<String> approvers() {
    return approvals.objects("approved_by").stream()
        .map(it -> GitLabApi.login(it.object("user")))
        .collect(Collectors.toSet());
  }

  private boolean hasState(String login, String state) {
    return reviewers.stream()
        .anyMatch(it ->
            GitLabApi.login(it.object("user")).equals(login)
                && it.string("state").orElse("").equals(state));
  }

  /** Somebody who begins threads on a version has looked at it: one review each. */
  private List<RemoteReview> withThreads() {
    List<RemoteReview> reviews = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (Obj note : discussions.threadStarts()) {
      RemoteReview review = review(note, RemoteReview.State.COMMENTED);
      boolean isNew = known.add(review.author() + " " + review.head());
      if (isNew && !review.author().equals(own)) {
        reviews.add(
            new RemoteReview(
                review.id(),
                review.author(),
                review.bot(),
                review.head(),
                review.state(),
                "",
                review.submittedAt()));
      }
    }
    return reviews;
  }

  /** Approvals and requests of which no event tells: it is not known what they are about. */
  private List<RemoteReview> withoutEvent(List<RemoteReview> reviews) {
    List<RemoteReview> more = new ArrayList<>();
    for (Obj approval : approvals.objects("approved_by")) {
      add(more, reviews, approval.object("user"), RemoteReview.State.APPROVED);
    }
    for (Obj reviewer : reviewers) {
      if (reviewer.string("state").orElse("").equals("requested_changes")) {
        add(more, reviews, reviewer.object("user"), RemoteReview.State.CHANGES_REQUESTED);
      }
    }
    return more;
  }

  private static void add(
      List<RemoteReview> more, List<RemoteReview> known, Obj user, RemoteReview.State state) {
    String login = GitLabApi.login(user);
    boolean isKnown =
        known.stream().anyMatch(it -> it.author().equals(login) && it.state() == state);
    if (!isKnown) {
      more.add(
          new RemoteReview(
              state.name().toLowerCase(Locale.ROOT) + "-" + login,
              login,
              GitLabApi.isBot(user),
              Optional.empty(),
              state,
              "",
              Instant.EPOCH));
    }
  }

  private RemoteReview review(Obj note, RemoteReview.State state) {
    Obj author = note.object("author");
    Instant at = GitLabApi.time(note.string("created_at").orElse(""));
    return new RemoteReview(
        note.text("id").orElse(""),
        GitLabApi.login(author),
        GitLabApi.isBot(author),
        headAt(at),
        state,
        "",
        at);
  }

  /** The head that the merge request had at this time. */
  private Optional<String> headAt(Instant time) {
    return versions.stream()
        .filter(it -> !GitLabApi.time(it.string("created_at").orElse("")).isAfter(time))
        .max(Comparator.comparing(it -> it.number("id").orElse(0L)))
        .flatMap(it -> it.string("head_commit_sha"));
  }
}
