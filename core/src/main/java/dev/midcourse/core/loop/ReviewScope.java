package dev.midcourse.core.loop;

/** How much a review looks at. Only a look at the whole can end a loop. */
public enum ReviewScope {
  /** All changes since the base. */
  WHOLE,
  /** The changes since the last review, and the findings that are open. */
  CHANGES
}
