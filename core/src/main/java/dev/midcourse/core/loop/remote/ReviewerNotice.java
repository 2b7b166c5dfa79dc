package dev.midcourse.core.loop.remote;

import java.util.regex.Pattern;

/**
 * Texts of reviewing programs that are neither a verdict nor a finding: that they could not look,
 * and the overviews that they write beside their findings.
 */
final class ReviewerNotice {
  private static final Pattern UNABLE =
      Pattern.compile(
          "quota|usage limit|rate.?limit|limits? (was |has been |is )?(reached|exceeded)"
              + "|out of credits|no credits|unable to review|(wasn't|was not) able to review"
              + "|could ?n[o']t (complete|finish|run|perform) (the |a |this )?review"
              + "|(encountered|ran into) an error|review (was )?(skipped|failed|paused)"
              + "|upgrade your plan|try again later",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern OVERVIEW =
      Pattern.compile(
          "^\\s*(##? *pull request overview|##? *summary|#+ *walkthrough|copilot reviewed \\d+"
              + "|here are some automated review suggestions|### .{0,4}codex review"
              + "|\\*{0,2}actionable comments posted: *\\d+|generated (no|\\d+) comments?)",
          Pattern.CASE_INSENSITIVE);

  private static final int MAX_NOTICE = 1_500;

  private ReviewerNotice() {}

  /** Whether a program says that it could not look. A long text is a review. */
  static boolean isUnable(String text) {
    return text.length() <= MAX_NOTICE && UNABLE.matcher(text).find();
  }

  /** Whether a program only says what it looked at. */
  static boolean isOverview(String text) {
    return text.isBlank() || OVERVIEW.matcher(text).find();
  }
}
