package dev.midcourse.hub.channel;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request to add a channel.
 *
 * @param name its name; without it that of the kind
 * @param settings the values as texts, by key
 * @param secrets by key; the hub writes each into a file of mode 0600
 * @param evenIfItFails whether the channel is added although its check failed
 */
record NewChannel(
    String kind,
    Optional<String> name,
    Map<String, String> settings,
    Map<String, String> secrets,
    boolean evenIfItFails) {
  static final String EXAMPLE =
      """
      {"kind": "telegram", "name": "telegram", "settings": {}, "secrets": {"token": "123:abc"}}\
      """;

  static NewChannel read(String body) {
    try {
      JsonValue.Obj object = JsonReader.readObject(body);
      ObjectReader fields = new ObjectReader(object);
      Optional<String> kind = fields.required("kind");
      Optional<String> name = fields.optional("name");
      boolean evenIfItFails = fields.flag("even_if_it_fails");
      fields.optionalValue("settings");
      fields.optionalValue("secrets");
      fields.finish();
      return new NewChannel(
          kind.orElseThrow(),
          name,
          texts(object, "settings"),
          texts(object, "secrets"),
          evenIfItFails);
    } catch (JsonException e) {
      throw new RefusedException(
          Problem.invalid("body", "one JSON object", "the body is not JSON: " + e.getMessage()), e);
    }
  }

  private static Map<String, String> texts(JsonValue.Obj object, String field) {
    Map<String, String> texts = new LinkedHashMap<>();
    object
        .object(field)
        .fields()
        .forEach((key, value) -> {
          if (!(value instanceof JsonValue.Str(String text))) {
            throw Problem.invalid(
                    field + "." + key, "a string", field + "." + key + " must be a string")
                .refused();
          }
          texts.put(key, text);
        });
    return texts;
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "NewChannel[" + kind + ", " + name + ", " + settings + "]";
  }
}
