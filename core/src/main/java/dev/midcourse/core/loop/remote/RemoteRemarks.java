package dev.midcourse.core.loop.remote;

import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.LoopForge;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The remarks of others in a change that are open: unresolved threads, also outdated ones, texts of
 * reviews, and comments of reviewers. What Midcourse itself has written is none.
 */
public final class RemoteRemarks {
  private static final String STEER = "/midcourse";

  private RemoteRemarks() {}

  /**
   * An open remark.
   *
   * @param key the kind and the id of the thread, the review or the comment
   * @param thread the thread; empty for a remark that is none
   * @param source its author, with an @ in front
   * @param oursLast whether Midcourse has the newest word in it
   * @param blocks whether it stays open until its author says otherwise
   */
  public record Remark(
      String key,
      Optional<String> thread,
      String source,
      boolean oursLast,
      boolean blocks,
      ReportedFinding report) {}

  /**
   * All open remarks of a snapshot that are not Midcourse's own.
   *
   * @param reviewer the login of the reviewer of the loop, if it is one at the forge
   */
  public static List<Remark> open(
      ChangeSnapshot snapshot, LoopForge forge, Optional<String> reviewer) {
    List<Remark> open = new ArrayList<>();
    for (ReviewThread thread : snapshot.threads()) {
      if (!thread.resolved() && !thread.comments().isEmpty()) {
        ofThread(thread, forge).ifPresent(open::add);
      }
    }
    for (RemoteReview review : newestReviews(snapshot, forge)) {
      ofReview(review, snapshot, reviewer).ifPresent(open::add);
    }
    Predicate<String> isReviewer =
        login ->
            snapshot.reviews().stream().anyMatch(it -> Logins.same(it.author(), login))
                || snapshot.requested().stream().anyMatch(it -> Logins.same(it, login))
                || reviewer.filter(it -> Logins.same(it, login)).isPresent();
    for (RemoteComment comment : snapshot.comments()) {
      if (!forge.isOurs(comment.author()) && isReviewer.test(comment.author())) {
        ofComment(comment, reviewer).ifPresent(open::add);
      }
    }
    return List.copyOf(open);
  }

  /** How much others have written: it grows with every review and comment that is not ours. */
  public static int activity(ChangeSnapshot snapshot, LoopForge forge) {
    long comments = snapshot.comments().stream().filter(it -> !forge.isOurs(it.author())).count();
    long replies =
        snapshot.threads().stream()
            .flatMap(it -> it.comments().stream())
            .filter(it -> !forge.isOurs(it.author()))
            .count();
    long reviews = snapshot.reviews().stream().filter(it -> !forge.isOurs(it.author())).count();
    return (int) (comments + replies + reviews);
  }

  private static Optional<Remark> ofThread(ReviewThread thread, LoopForge forge) {
    RemoteComment first = thread.comments().getFirst();
    boolean ours = thread.comments().stream().allMatch(it -> forge.isOurs(it.author()));
    if (ours) {
      return Optional.empty();
    }
    String key = "thread:" + thread.id();
    String body =
        thread.comments().stream()
            .map(it -> it.author() + ": " + it.body().strip())
            .collect(Collectors.joining("\n\n"));
    String author =
        thread.comments().stream()
            .map(RemoteComment::author)
            .filter(it -> !forge.isOurs(it))
            .findFirst()
            .orElse(first.author());
    return Optional.of(
        new Remark(
            key,
            Optional.of(thread.id()),
            "@" + author,
            forge.isOurs(thread.comments().getLast().author()),
            true,
            report(key, thread.path(), thread.line(), first.body(), body)));
  }

  /** Of each author, the newest review that is a verdict. */
  private static List<RemoteReview> newestReviews(ChangeSnapshot snapshot, LoopForge forge) {
    Map<String, RemoteReview> newest = new TreeMap<>();
    for (RemoteReview review : snapshot.reviews()) {
      boolean counts =
          review.state() != RemoteReview.State.PENDING && !forge.isOurs(review.author());
      if (counts) {
        newest.merge(
            review.author(),
            review,
            (one, other) -> other.submittedAt().isBefore(one.submittedAt()) ? one : other);
      }
    }
    return List.copyOf(newest.values());
  }

  private static Optional<Remark> ofReview(
      RemoteReview review, ChangeSnapshot snapshot, Optional<String> reviewer) {
    boolean asked = reviewer.filter(it -> Logins.same(it, review.author())).isPresent();
    boolean blocks = review.state() == RemoteReview.State.CHANGES_REQUESTED;
    boolean speaks =
        review.state() == RemoteReview.State.COMMENTED
            && !review.body().isBlank()
            && (!review.bot() || (asked && !isNoRemark(review.body())));
    boolean explained =
        snapshot.threads().stream()
            .filter(it -> !it.resolved())
            .flatMap(it -> it.comments().stream())
            .anyMatch(it -> it.author().equals(review.author()));
    boolean needsBody = blocks && review.body().isBlank() && !explained;
    if (!(speaks || needsBody || (blocks && !review.body().isBlank()))) {
      return Optional.empty();
    }
    String key = "review:" + review.id();
    String body =
        review.body().isBlank() ? "Changes were requested without a text." : review.body();
    return Optional.of(
        new Remark(
            key,
            Optional.empty(),
            "@" + review.author(),
            false,
            blocks,
            report(key, Optional.empty(), 0, body, body)));
  }

  private static Optional<Remark> ofComment(RemoteComment comment, Optional<String> reviewer) {
    boolean asked = reviewer.filter(it -> Logins.same(it, comment.author())).isPresent();
    boolean counts =
        !comment.body().isBlank()
            && !comment.body().stripLeading().startsWith(STEER)
            && (!comment.bot() || (asked && !isNoRemark(comment.body())));
    if (!counts) {
      return Optional.empty();
    }
    String key = "comment:" + comment.id();
    return Optional.of(
        new Remark(
            key,
            Optional.empty(),
            "@" + comment.author(),
            false,
            false,
            report(key, Optional.empty(), 0, comment.body(), comment.body())));
  }

  private static boolean isNoRemark(String text) {
    return ReviewerNotice.isUnable(text) || ReviewerNotice.isOverview(text);
  }

  /** The key is the anchor, so that each remark is a finding of its own. */
  private static ReportedFinding report(
      String key, Optional<String> path, int line, String first, String body) {
    String title = first.strip().lines().findFirst().orElse("");
    Severity severity =
        title.toLowerCase(Locale.ROOT).startsWith("nit") ? Severity.MINOR : Severity.MAJOR;
    return ReportedFinding.of(path, line, severity, title, body).withAnchor(key);
  }
}
