package dev.midcourse.cli;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.core.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The schemas that the hub publishes in the description of its API, and schema files for output of
 * the commands alone. Here a property that a schema does not name is an error, although a client
 * should ignore it.
 */
final class PublishedSchemas {
  static final JsonMapper MAPPER = JsonMapper.shared();

  /** The schema of the fields that all kinds of events share; each kind has more. */
  private static final String EVENT = "OneEvent";

  private static final Path FILES = Path.of("src/test/resources/schemas");

  private final JsonNode components;

  private PublishedSchemas(JsonNode components) {
    this.components = components;
  }

  static PublishedSchemas of(HubClient hub) {
    JsonNode description = MAPPER.readTree(JsonWriter.compact(hub.get("/openapi.json")));
    JsonNode components = description.path("components");
    components
        .path("schemas")
        .properties()
        .forEach(schema -> {
          if (!schema.getKey().equals(EVENT)) {
            close(schema.getValue());
          }
        });
    return new PublishedSchemas(components);
  }

  private static void close(JsonNode node) {
    if (node instanceof ObjectNode schema && schema.path("properties").isObject()) {
      schema.put("additionalProperties", false);
    }
    node.forEach(PublishedSchemas::close);
  }

  /**
   * Returns the errors of a JSON value, checked with a named schema, or with it for each element of
   * an array.
   */
  List<Error> wrong(String name, JsonNode text) {
    ObjectNode schema = MAPPER.createObjectNode();
    schema.put("$ref", "#/components/schemas/" + name);
    schema.set("components", components);
    return errors(schema, text);
  }

  static List<Error> wrongByFile(String name, JsonNode text) throws IOException {
    return errors(MAPPER.readTree(Files.readString(FILES.resolve(name + ".json"))), text);
  }

  private static List<Error> errors(JsonNode schema, JsonNode text) {
    SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    Schema read = registry.getSchema(schema);
    return read.validate(text);
  }
}
