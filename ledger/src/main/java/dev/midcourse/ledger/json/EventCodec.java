package dev.midcourse.ledger.json;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/** Writes events as JSON objects and reads them back. The kind of an event is stored beside it. */
public final class EventCodec {
  private static final Map<String, ObjectReader> READERS =
      RunEvent.kinds().stream()
          .collect(Collectors.toUnmodifiableMap(EventKind::of, EventCodec::reader));

  private EventCodec() {}

  public static String encode(RunEvent event) {
    return JsonCodec.write(event);
  }

  /**
   * The event of this kind. A kind or a body that this version cannot read is a {@link
   * RunEvent.Unknown}: a newer version wrote it.
   */
  public static RunEvent decode(String kind, String json) {
    @Nullable ObjectReader reader = READERS.get(kind);
    if (reader == null) {
      return new RunEvent.Unknown(kind, json);
    }
    try {
      return reader.readValue(json);
    } catch (JacksonException | RefusedException unreadable) {
      return new RunEvent.Unknown(kind, json);
    }
  }

  /** A number that an earlier version did not write is 0; any other missing field is an error. */
  private static ObjectReader reader(Class<? extends RunEvent> type) {
    return JsonCodec.mapper()
        .readerFor(type)
        .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
  }
}
