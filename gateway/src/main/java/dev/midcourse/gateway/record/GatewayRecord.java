package dev.midcourse.gateway.record;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.DateTimeException;
import java.util.NoSuchElementException;
import java.util.Optional;

/** One line of the records of an attempt. */
public sealed interface GatewayRecord permits BeginRecord, RequestRecord, ResponseRecord {

  /** The number of the request in its attempt, from 1. */
  long number();

  Obj json();

  /** Reads a line. A line that is torn or of another version gives nothing. */
  static Optional<GatewayRecord> parse(String line) {
    try {
      Obj fields = JsonReader.readObject(line);
      return switch (fields.string("kind").orElse("")) {
        case BeginRecord.KIND -> Optional.of(BeginRecord.of(fields));
        case RequestRecord.KIND -> Optional.of(RequestRecord.of(fields));
        case ResponseRecord.KIND -> Optional.of(ResponseRecord.of(fields));
        default -> Optional.empty();
      };
    } catch (RefusedException
        | IllegalArgumentException
        | NoSuchElementException
        | DateTimeException torn) {
      return Optional.empty();
    }
  }
}
