package dev.midcourse.core.loop.forge;

import java.time.Instant;
import java.util.Optional;

/**
 * A review of a change.
 *
 * @param author the login of its author
 * @param bot whether the author is a program
 * @param head the commit that was looked at; empty if the forge does not say
 * @param body its text, in which some reviewers have their findings; may be empty
 */
public record RemoteReview(
    String id,
    String author,
    boolean bot,
    Optional<String> head,
    State state,
    String body,
    Instant submittedAt) {

  /** The verdict as the forge names it. */
  public enum State {
    APPROVED,
    CHANGES_REQUESTED,
    COMMENTED,
    DISMISSED,
    PENDING
  }
}
