package dev.midcourse.gateway.record;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.nio.file.Path;

/**
 * The route of one attempt.
 *
 * @param upstream the address of the provider
 * @param records the file that gets the records of the attempt's requests
 */
public record RouteSpec(String upstream, Path records) {

  String json() {
    return JsonValue.object()
        .with("upstream", upstream)
        .with("records", records.toString())
        .toString();
  }

  static RouteSpec parse(String json) {
    Obj fields = JsonReader.readObject(json);
    return new RouteSpec(
        fields.string("upstream").orElseThrow(), Path.of(fields.string("records").orElseThrow()));
  }
}
