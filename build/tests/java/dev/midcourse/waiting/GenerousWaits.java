package dev.midcourse.waiting;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes every wait of a test last up to {@link #TIMEOUT} before it fails. Awaitility's own ten
 * seconds are too short for a machine that is busy with other work; a condition that holds earlier
 * ends its wait at once. JUnit finds this extension by its entry in {@code META-INF/services}.
 */
public final class GenerousWaits implements BeforeAllCallback {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(TIMEOUT);
  }
}
