package dev.midcourse.core.contract;

/**
 * The rules of a team for its dispatches, in addition to those of every dispatch. The settings of a
 * worker have them.
 *
 * @param branchPrefix the beginning of the branch of every run; blank for any branch
 * @param screenshotsAllowed whether the task may ask for screenshots
 */
public record DispatchRules(String branchPrefix, boolean screenshotsAllowed) {
  private static final String JARVIS_PREFIX = "jarvis-";

  /** No rules besides those of every dispatch. */
  public static final DispatchRules NONE = new DispatchRules("", true);

  /** The rules of workers whose names begin with {@code jarvis-}. */
  public static final DispatchRules JARVIS = new DispatchRules(JARVIS_PREFIX, false);

  /** The rules of a worker of this name, or of these names, whose settings give none. */
  public static DispatchRules defaultFor(String worker) {
    return worker.startsWith(JARVIS_PREFIX) ? JARVIS : NONE;
  }
}
