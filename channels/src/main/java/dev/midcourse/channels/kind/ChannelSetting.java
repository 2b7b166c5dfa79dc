package dev.midcourse.channels.kind;

/**
 * One setting of a kind of channel.
 *
 * @param key its key in the table {@code [channels.NAME]}
 * @param type how the value is written
 * @param required whether a channel needs it
 * @param description one sentence for people
 */
public record ChannelSetting(String key, Type type, boolean required, String description) {

  /** How a value is written in the settings file. */
  public enum Type {
    TEXT,
    /** Never in the settings file itself: in a file of mode 0600, or the output of a command. */
    SECRET,
    URL,
    NUMBER,
    FLAG,
    DURATION,
    LIST
  }

  public static ChannelSetting required(String key, Type type, String description) {
    return new ChannelSetting(key, type, true, description);
  }

  public static ChannelSetting optional(String key, Type type, String description) {
    return new ChannelSetting(key, type, false, description);
  }
}
