package dev.midcourse.channels.matrix;

import java.util.regex.Pattern;

/** The rules of the ids of Matrix. Whatever does not follow them is skipped. */
final class MatrixIds {
  private static final int MAX = 255;
  private static final Pattern USER =
      Pattern.compile("@[^:\\s\\p{Cntrl}]{1,200}:[A-Za-z0-9.:\\[\\]_-]{1,200}");
  private static final Pattern ROOM = Pattern.compile("![^\\s\\p{Cntrl}/?#]{1,254}");
  private static final Pattern EVENT = Pattern.compile("\\$[^\\s\\p{Cntrl}?#]{1,254}");
  private static final Pattern MEDIA =
      Pattern.compile("mxc://([A-Za-z0-9.:\\[\\]_-]{1,200})/([A-Za-z0-9_-]{1,200})");

  private MatrixIds() {}

  /** An identity has at most 200 characters; Matrix allows 255 and uses far fewer. */
  static boolean isUser(String text) {
    return text.length() <= 200 && USER.matcher(text).matches();
  }

  static boolean isRoom(String text) {
    return text.length() <= MAX && ROOM.matcher(text).matches();
  }

  static boolean isEvent(String text) {
    return text.length() <= MAX && EVENT.matcher(text).matches();
  }

  static boolean isMedia(String text) {
    return MEDIA.matcher(text).matches();
  }
}
