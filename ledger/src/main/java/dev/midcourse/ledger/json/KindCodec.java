package dev.midcourse.ledger.json;

import dev.midcourse.core.RefusedException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;

/**
 * Writes the records of one sealed interface as JSON objects and reads them back by their kind. The
 * kind is the simple name of the record in snake_case.
 */
final class KindCodec<T> {
  private final Map<String, ObjectReader> readers;
  private final UnknownKind<T> unknown;

  /** Makes the record for a kind or a body that this version cannot read. */
  @FunctionalInterface
  interface UnknownKind<T> {
    T of(String kind, String json);
  }

  KindCodec(Class<T> sealed, Class<? extends T> unknownType, UnknownKind<T> unknown) {
    this.readers =
        Stream.of(sealed.getPermittedSubclasses())
            .filter(type -> type != unknownType)
            .collect(Collectors.toUnmodifiableMap(KindCodec::kind, KindCodec::reader));
    this.unknown = unknown;
  }

  static String kind(Class<?> type) {
    return type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  T decode(String kind, String json) {
    return decode(kind, JsonCodec.mapper().readTree(json));
  }

  T decode(String kind, JsonNode json) {
    @Nullable ObjectReader reader = readers.get(kind);
    if (reader == null) {
      return unknown.of(kind, json.toString());
    }
    try {
      return reader.readValue(json);
    } catch (JacksonException | RefusedException | IllegalArgumentException unreadable) {
      return unknown.of(kind, json.toString());
    }
  }

  /** A number that an earlier version did not write is 0; any other missing field is an error. */
  private static ObjectReader reader(Class<?> type) {
    return JsonCodec.mapper()
        .readerFor(type)
        .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
  }
}
