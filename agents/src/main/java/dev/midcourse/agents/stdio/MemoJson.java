package dev.midcourse.agents.stdio;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the memo of a {@link Protocol}, a record, as JSON with names in snake case. The
 * memo of a running agent survives an upgrade of the hub: a missing field is read as empty, zero or
 * false, and an unknown field is ignored. So a field of a memo keeps its name for ever.
 */
public final class MemoJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultVisibility(checker ->
              checker
                  .withFieldVisibility(Visibility.ANY)
                  .withGetterVisibility(Visibility.NONE)
                  .withIsGetterVisibility(Visibility.NONE))
          .changeDefaultNullHandling(_ -> JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY))
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private MemoJson() {}

  public static <T extends Record> T read(String memo, Class<T> type) {
    return MAPPER.readValue(memo, type);
  }

  public static String write(Record memo) {
    return MAPPER.writeValueAsString(memo);
  }
}
