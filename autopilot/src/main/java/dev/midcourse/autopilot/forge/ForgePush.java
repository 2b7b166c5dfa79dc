package dev.midcourse.autopilot.forge;

import java.util.Optional;

/**
 * What git pushes to publish a head.
 *
 * @param reference the reference at the forge: {@code refs/heads/fix-it}
 * @param squash if present, the head is not pushed itself but as one commit with its files
 */
public record ForgePush(String reference, Optional<Squash> squash) {

  /**
   * The one commit as which a head is pushed; {@code SquashedCommit} of {@code agents.git} makes
   * it.
   *
   * @param message the whole message
   * @param name the name that the forge demands of the committer
   * @param email the address that the forge demands of the committer
   */
  public record Squash(String message, String name, String email) {}

  /** A push of the head to its branch. */
  public static ForgePush toBranch(String branch) {
    return new ForgePush("refs/heads/" + branch, Optional.empty());
  }
}
