package dev.midcourse.core.chat.autopilot;

/** A button of a card about a loop. */
public enum LoopChoice {
  GO("Go on"),
  SKIP("Skip the wait"),
  STOP("Stop"),
  APPROVE("Approve");

  private final String label;

  LoopChoice(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
