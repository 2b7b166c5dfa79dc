package dev.midcourse.core.loop.forge;

import dev.midcourse.core.id.LoopId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a loop is to do at a forge.
 *
 * @param name the name of the forge in the settings
 * @param project the full name of the project: {@code owner/name}
 * @param remote the address to which git pushes, without a user name and a password
 * @param draft whether the change is opened as a draft
 * @param publicComment whether one comment in the change tells how the loop goes
 * @param adopt the number of a change that is there already
 * @param onlyCi whether only the checks count, and no review
 * @param checks the names of the checks that count; empty for all
 * @param on the loop on whose branch this one is based
 * @param ciGrace how long no check may be reported before that is taken for "no CI"
 * @param quiet how long nothing may happen in the change before it is merged
 */
public record ForgeOrder(
    String name,
    String project,
    String remote,
    boolean draft,
    boolean publicComment,
    Optional<String> adopt,
    boolean onlyCi,
    List<String> checks,
    Optional<LoopId> on,
    Duration ciGrace,
    Duration quiet) {
  public static final Duration DEFAULT_CI_GRACE = Duration.ofMinutes(5);
  public static final Duration DEFAULT_QUIET = Duration.ofSeconds(60);

  public ForgeOrder {
    checks = List.copyOf(checks);
  }

  /** A new change, with the default times. */
  public static ForgeOrder opening(String name, String project, String remote) {
    return new ForgeOrder(
        name,
        project,
        remote,
        false,
        false,
        Optional.empty(),
        false,
        List.of(),
        Optional.empty(),
        DEFAULT_CI_GRACE,
        DEFAULT_QUIET);
  }

  /** Whether the result of the check counts. */
  public boolean counts(RemoteCheck check) {
    return checks.isEmpty() || checks.contains(check.name());
  }
}
