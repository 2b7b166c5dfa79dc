package dev.midcourse.autopilot.report;

/** A file that has to be a report is none, or is broken. */
final class UnreadableReportException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableReportException(String why) {
    super(why);
  }

  UnreadableReportException(String why, Throwable cause) {
    super(why, cause);
  }
}
