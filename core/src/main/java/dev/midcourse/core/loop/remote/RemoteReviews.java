package dev.midcourse.core.loop.remote;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** The verdict of a reviewer at a forge about one commit. */
public final class RemoteReviews {
  /** How long a request for a review may take until the forge shows it. */
  private static final Duration REGISTRATION = Duration.ofSeconds(60);

  private static final int MAX_WHY = 200;

  private RemoteReviews() {}

  /**
   * The verdict, as soon as there is one. A review of another commit never counts. A request counts
   * only if the forge shows it, or the reviewer has looked at the commit. A notice that the
   * reviewer could not look is no verdict about the code.
   *
   * @param since when the review was asked for
   * @param open how many remarks of the reviewer are open
   */
  public static Optional<ReviewVerdict> verdict(
      ChangeSnapshot snapshot, String login, Instant since, Instant now, int open) {
    String name = "@" + login;
    String head = snapshot.head();
    Optional<String> unable = notice(snapshot, login, since);
    Optional<RemoteReview> newest =
        snapshot.reviews().stream()
            .filter(it -> Logins.same(it.author(), login))
            .filter(it -> it.state() != RemoteReview.State.PENDING)
            .filter(it -> isAbout(it, head, since))
            .filter(it -> !(it.bot() && ReviewerNotice.isUnable(it.body())))
            .max(Comparator.comparing(RemoteReview::submittedAt));
    if (newest.isPresent()) {
      return ofReview(newest.get(), name, head, open);
    }
    if (unable.isPresent()) {
      return Optional.of(new ReviewVerdict.Unavailable(name, head, unable.get()));
    }
    boolean registered = snapshot.requested().stream().anyMatch(it -> Logins.same(it, login));
    return registered || now.isBefore(since.plus(REGISTRATION))
        ? Optional.empty()
        : Optional.of(
            new ReviewVerdict.Unavailable(
                name, head, "the forge does not show the request for a review"));
  }

  /**
   * A forge that does not name the commit of a review: it is about the newest one if it is newer.
   */
  private static boolean isAbout(RemoteReview review, String head, Instant since) {
    return review
        .head()
        .map(head::equals)
        .orElseGet(() -> !review.bot() && review.submittedAt().isAfter(since));
  }

  private static Optional<ReviewVerdict> ofReview(
      RemoteReview review, String name, String head, int open) {
    return switch (review.state()) {
      case APPROVED ->
          Optional.of(
              open == 0
                  ? new ReviewVerdict.Clean(name, head)
                  : new ReviewVerdict.WithFindings(name, head, open));
      case CHANGES_REQUESTED ->
          Optional.of(new ReviewVerdict.WithFindings(name, head, Math.max(1, open)));
      case COMMENTED -> {
        if (open > 0) {
          yield Optional.of(new ReviewVerdict.WithFindings(name, head, open));
        }
        yield review.bot() ? Optional.of(new ReviewVerdict.Clean(name, head)) : Optional.empty();
      }
      case DISMISSED, PENDING -> Optional.empty();
    };
  }

  private static Optional<String> notice(ChangeSnapshot snapshot, String login, Instant since) {
    Optional<String> comment =
        snapshot.comments().stream()
            .filter(it -> it.bot() && Logins.same(it.author(), login))
            .filter(it -> !it.createdAt().isBefore(since))
            .map(RemoteComment::body)
            .filter(ReviewerNotice::isUnable)
            .findFirst();
    return comment
        .or(() ->
            snapshot.reviews().stream()
                .filter(it -> it.bot() && Logins.same(it.author(), login))
                .filter(it -> isAbout(it, snapshot.head(), since))
                .map(RemoteReview::body)
                .filter(ReviewerNotice::isUnable)
                .findFirst())
        .map(text -> WireNames.cut(text.strip().replaceAll("\\s+", " "), MAX_WHY));
  }
}
