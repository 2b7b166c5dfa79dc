package dev.midcourse.agents.process.attempt;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * An unpredictable token in the environment of a program and of all processes that it starts. Any
 * hub can find the whole process tree by this token.
 */
public record ProcessMarker(String token) {

  /** The environment variable that carries the token. */
  public static final String VARIABLE = "MIDCOURSE_MARK";

  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]{16,128}");
  private static final SecureRandom RANDOM = new SecureRandom();

  public ProcessMarker {
    if (!SHAPE.matcher(token).matches()) {
      throw new IllegalArgumentException(
          "a mark is 16 to 128 letters, digits, '_' or '-': " + token.length() + " given");
    }
  }

  /** Returns a new random mark of 128 bits. */
  public static ProcessMarker fresh() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return new ProcessMarker(HexFormat.of().formatHex(bytes));
  }

  public static boolean isWellFormed(String token) {
    return SHAPE.matcher(token).matches();
  }
}
