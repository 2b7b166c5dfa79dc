package dev.midcourse.channels.kind;

/**
 * One result of the check of a channel.
 *
 * @param text what was found out, for people
 * @param remedy what to do; empty if nothing is to be done
 */
public record ChannelCheck(Result result, String text, String remedy) {

  /** How bad a result is. */
  public enum Result {
    OK,
    /** The channel works, but something is switched off. */
    WARNING,
    FAILED
  }

  public static ChannelCheck ok(String text) {
    return new ChannelCheck(Result.OK, text, "");
  }

  public static ChannelCheck warning(String text, String remedy) {
    return new ChannelCheck(Result.WARNING, text, remedy);
  }

  public static ChannelCheck failed(String text, String remedy) {
    return new ChannelCheck(Result.FAILED, text, remedy);
  }
}
