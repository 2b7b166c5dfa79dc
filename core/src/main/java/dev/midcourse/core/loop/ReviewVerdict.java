package dev.midcourse.core.loop;

/**
 * The verdict of a reviewer about one commit. There is no verdict as long as the reviewer looks:
 * what is not known is never clean.
 */
public sealed interface ReviewVerdict {
  String reviewer();

  /** The commit that was looked at. */
  String head();

  /** The reviewer looked at the commit, and has no finding. */
  record Clean(String reviewer, String head) implements ReviewVerdict {}

  /** The reviewer has findings. */
  record WithFindings(String reviewer, String head, int count) implements ReviewVerdict {}

  /** The reviewer could not look, or did not say what it found. */
  record Unavailable(String reviewer, String head, String why) implements ReviewVerdict {}

  /** A person ended the wait, or the loop has no reviewer. It is not clean, and not reviewed. */
  record NotReviewed(String reviewer, String head, String why) implements ReviewVerdict {}
}
