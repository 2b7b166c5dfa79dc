package dev.midcourse.core.event;

import java.util.Locale;

/** The name of an event's kind outside: its type's simple name in snake_case. */
public final class EventKind {
  private EventKind() {}

  public static String of(RunEvent event) {
    return of(event.getClass());
  }

  public static String of(Class<?> type) {
    return type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
