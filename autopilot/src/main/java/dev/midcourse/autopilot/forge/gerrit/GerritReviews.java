package dev.midcourse.autopilot.forge.gerrit;

import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells the messages of a change apart: a message with a vote, or with open comments on lines, is a
 * review; another one is a comment. A message without either is never taken for a verdict.
 */
final class GerritReviews {
  private final GerritChange change;
  private final Set<String> messagesWithFindings;

  /**
   * @param own the login of Midcourse, whose open replies are no findings
   */
  GerritReviews(GerritChange change, List<GerritThreads.CommentThread> threads, String own) {
    this.change = change;
    this.messagesWithFindings =
        threads.stream()
            .flatMap(it -> it.comments().stream())
            .filter(it -> it.is("unresolved"))
            .filter(it -> !GerritApi.login(it.object("author")).equals(own))
            .flatMap(it -> it.string("change_message_id").stream())
            .collect(Collectors.toCollection(HashSet::new));
  }

  List<RemoteReview> reviews() {
    List<RemoteReview> reviews = new ArrayList<>();
    Set<String> withVote = new HashSet<>();
    for (Obj json : change.messages()) {
      GerritMessage message = GerritMessage.of(json);
      Optional<Integer> vote = message.vote(GerritChange.REVIEW_LABEL);
      if (vote.isPresent()) {
        withVote.add(message.login());
        reviews.add(review(message, state(message, vote.get())));
      } else if (messagesWithFindings.contains(message.id())) {
        reviews.add(review(message, RemoteReview.State.COMMENTED));
      }
    }
    for (GerritChange.Vote vote : change.votes(GerritChange.REVIEW_LABEL)) {
      if (!withVote.contains(vote.login())) {
        reviews.add(withoutMessage(vote));
      }
    }
    reviews.sort(Comparator.comparing(RemoteReview::submittedAt));
    return reviews;
  }

  /** A vote on the newest patch set counts only while Gerrit counts it: it can be taken back. */
  private RemoteReview.State state(GerritMessage message, int value) {
    boolean isCurrent = message.patchSet() == change.patchSet();
    boolean counts =
        change.votes(GerritChange.REVIEW_LABEL).stream()
            .anyMatch(it -> it.login().equals(message.login()) && it.value() == value);
    if (isCurrent && !counts) {
      return RemoteReview.State.DISMISSED;
    }
    return state(value);
  }

  private static RemoteReview.State state(long value) {
    return value > 0 ? RemoteReview.State.APPROVED : RemoteReview.State.CHANGES_REQUESTED;
  }

  private RemoteReview review(GerritMessage message, RemoteReview.State state) {
    return new RemoteReview(
        message.id(),
        message.login(),
        GerritApi.isBot(message.author()),
        change.nameOf(message.patchSet()),
        state,
        message.text(),
        GerritApi.time(message.date()));
  }

  /** A vote of which no message tells: the patch set that it was given to is not known. */
  private static RemoteReview withoutMessage(GerritChange.Vote vote) {
    return new RemoteReview(
        "vote-" + vote.login(),
        vote.login(),
        GerritApi.isBot(vote.account()),
        Optional.empty(),
        state(vote.value()),
        "",
        GerritApi.time(vote.date()));
  }

  List<RemoteComment> comments() {
    List<RemoteComment> comments = new ArrayList<>();
    for (Obj json : change.messages()) {
      GerritMessage message = GerritMessage.of(json);
      boolean isReview =
          message.vote(GerritChange.REVIEW_LABEL).isPresent()
              || messagesWithFindings.contains(message.id());
      if (!isReview && !message.isGenerated() && !message.text().isEmpty()) {
        comments.add(
            new RemoteComment(
                message.id(),
                message.login(),
                GerritApi.isBot(message.author()),
                message.text(),
                GerritApi.time(message.date())));
      }
    }
    return comments;
  }
}
