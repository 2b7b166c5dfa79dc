package dev.midcourse.autopilot.forge.github;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compares answers with GitHub's description of its REST interface. */
final class OpenApiCheck {
  private static final String ADDRESS = "https://schemas.test/github.json";
  private static final int NOT_FOUND = 404;
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final JsonNode paths;
  private final SchemaRegistry registry;

  OpenApiCheck(String description) {
    ObjectNode whole = (ObjectNode) MAPPER.readTree(description);
    whole.remove("x-webhooks");
    ((ObjectNode) whole.path("components")).remove("examples");
    ObjectNode named = (ObjectNode) whole.path("paths");
    named.retain(named.propertyNames().stream().filter(OpenApiCheck::isInUse).toList());
    paths = named;
    registry =
        SchemaRegistry.withDefaultDialect(
            Dialects.getOpenApi30(),
            builder -> builder.schemas(Map.of(ADDRESS, MAPPER.writeValueAsString(whole))));
  }

  /** The whole description needs more memory than a test has. */
  private static boolean isInUse(String template) {
    return template.startsWith("/app/installations/")
        || template.equals("/user")
        || template.matches(
            "/repos/\\{owner}/\\{repo}(|/installation|/(pulls|issues|commits|check-runs|actions)(/.*|))");
  }

  /** Returns what is wrong with an answer. */
  List<String> errors(FakeGitHub.Exchange exchange) {
    String call = exchange.method() + " " + exchange.path() + " " + exchange.status();
    Optional<String> path =
        paths.propertyNames().stream()
            .filter(template -> isOf(template, exchange.path()))
            .max(Comparator.comparingInt(OpenApiCheck::fixedCharacters));
    if (path.isEmpty()) {
      return List.of(call + ": GitHub has no such path");
    }
    String method = exchange.method().toLowerCase(Locale.ROOT);
    JsonNode responses = paths.path(path.get()).path(method).path("responses");
    JsonNode response = responses.path(Integer.toString(exchange.status()));
    if (response.isMissingNode() && exchange.status() == NOT_FOUND) {
      return List.of(); // GitHub answers so everywhere, and describes it only sometimes.
    }
    if (response.isMissingNode()) {
      return List.of(call + ": GitHub has no such answer, only " + responses.propertyNames());
    }
    if (!response.path("content").has("application/json")) {
      return List.of();
    }
    String pointer =
        "/paths/%s/%s/responses/%d/content/application~1json/schema"
            .formatted(path.get().replace("~", "~0").replace("/", "~1"), method, exchange.status());
    Schema schema = registry.getSchema(SchemaLocation.of(ADDRESS + "#" + pointer));
    List<String> errors = new ArrayList<>();
    for (Error error : schema.validate(MAPPER.readTree(exchange.body()))) {
      errors.add(call + ": " + error);
    }
    return errors;
  }

  private static boolean isOf(String template, String path) {
    StringBuilder pattern = new StringBuilder();
    for (String part : template.substring(1).split("/", -1)) {
      pattern.append('/').append(part.startsWith("{") ? "[^/]+" : Pattern.quote(part));
    }
    return path.matches(pattern.toString());
  }

  private static int fixedCharacters(String template) {
    return template.replaceAll("\\{[^}]*}", "").length();
  }
}
