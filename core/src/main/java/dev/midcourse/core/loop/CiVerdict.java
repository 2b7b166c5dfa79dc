package dev.midcourse.core.loop;

/** What CI says about one commit. There is none as long as CI runs. */
public sealed interface CiVerdict {
  /** The commit that was tested. */
  String head();

  record Green(String head) implements CiVerdict {}

  record Red(String head, String summary) implements CiVerdict {}

  /** CI did not get so far that its result says something about the commit. */
  record Unavailable(String head, String why) implements CiVerdict {}

  /** A person ended the wait, or the loop has no CI. */
  record NotTested(String head, String why) implements CiVerdict {}
}
