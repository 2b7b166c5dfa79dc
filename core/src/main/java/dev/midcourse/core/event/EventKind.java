package dev.midcourse.core.event;

import java.util.Locale;

/**
 * The name of a kind of event in the log and the API: the simple name of its type in snake_case.
 */
public final class EventKind {
  private static final ClassValue<String> NAMES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return type.getSimpleName()
              .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
              .toLowerCase(Locale.ROOT);
        }
      };

  private EventKind() {}

  public static String of(RunEvent event) {
    return event instanceof RunEvent.Unknown unknown ? unknown.kind() : of(event.getClass());
  }

  public static String of(Class<? extends RunEvent> type) {
    return NAMES.get(type);
  }
}
