package dev.midcourse.core.chat;

/** The id of a wiring. Midcourse creates it. */
public record WiringId(String value) {
  public WiringId {
    ChatIdRule.check("wiring_id", value);
  }

  public static WiringId of(String text) {
    return new WiringId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
