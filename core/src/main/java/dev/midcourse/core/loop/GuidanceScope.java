package dev.midcourse.core.loop;

import dev.midcourse.core.WireNames;

/** The calls of a loop for which a piece of guidance is meant. */
public enum GuidanceScope {
  /** The turn that runs; if none does, the next call that changes the code. */
  NOW,
  /** The next call that changes the code, once. */
  NEXT,
  /** The next fix, once. */
  FIX,
  /** The next review, once. */
  REVIEW,
  /** Every call from the next one on, until it is withdrawn. */
  STANDING;

  /** Whether a call of this kind takes it. */
  public boolean takes(CallKind kind) {
    return switch (this) {
      case NOW, NEXT -> kind.isWork();
      case FIX -> kind == CallKind.FIX;
      case REVIEW -> kind == CallKind.REVIEW;
      case STANDING -> kind != CallKind.CI && kind != CallKind.REPAIR;
    };
  }

  public String wire() {
    return WireNames.name(this);
  }

  public static GuidanceScope parse(String text) {
    return WireNames.parse(GuidanceScope.class, "scope", text);
  }
}
