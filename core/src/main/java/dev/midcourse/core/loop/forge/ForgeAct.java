package dev.midcourse.core.loop.forge;

import java.util.Optional;

/**
 * Something that is written to a forge. Each act names enough to find out whether an earlier try of
 * it was done.
 */
public sealed interface ForgeAct {

  /** Opens a change, or takes over the open one of the same branch and base. */
  record Open(String branch, String base, String title, String body, boolean draft)
      implements ForgeAct {}

  /** Changes what is named. */
  record Edit(
      ChangeRef change, Optional<String> title, Optional<String> body, Optional<String> base)
      implements ForgeAct {}

  /** Makes a draft ready for review. */
  record MarkReady(ChangeRef change) implements ForgeAct {}

  /** Asks a reviewer to look at the head. It counts only when it can be read back. */
  record RequestReview(ChangeRef change, String reviewer, String head) implements ForgeAct {}

  /**
   * Replies in a thread.
   *
   * @param marker a hidden text in the reply, by which a second try finds it
   */
  record Reply(ChangeRef change, String thread, String body, String marker) implements ForgeAct {}

  record Resolve(ChangeRef change, String thread) implements ForgeAct {}

  /** Writes the one comment that has this marker, or edits it in place. */
  record Comment(ChangeRef change, String body, String marker) implements ForgeAct {}

  /** Runs the failed checks of a head again. */
  record RerunFailed(ChangeRef change, String head) implements ForgeAct {}

  /** Merges the base into the branch at the forge, if the head is still this one. */
  record UpdateBranch(ChangeRef change, String head) implements ForgeAct {}

  /** Merges the change, if the head is still this one. */
  record Merge(ChangeRef change, String head) implements ForgeAct {}

  /** Lets the forge merge the change when its rules are met: auto-merge, or its queue. */
  record Enqueue(ChangeRef change, String head) implements ForgeAct {}

  /** Closes the change without merging it. */
  record Close(ChangeRef change) implements ForgeAct {}
}
