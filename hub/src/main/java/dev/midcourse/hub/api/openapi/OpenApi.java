package dev.midcourse.hub.api.openapi;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.http.ErrorResponse;
import dev.midcourse.hub.http.route.RequestType;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Raw;
import dev.midcourse.hub.http.route.Route.RouteResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The description of the API in OpenAPI 3.1, made from the routes and the types they use. */
public final class OpenApi {
  private static final Pattern NAMED = Pattern.compile("\\{(\\w+)}");
  private static final Map<String, String> WORDS_OF_PATHS =
      Map.of(
          "person", "a person's id, name or account",
          "chat", "a chat's id or name, or CHANNEL:ID",
          "wiring", "a wiring's id",
          "approval", "the id of a pending approval",
          "outbound", "the id of a message in the outbox",
          "run",
              "a run's id, the beginning of one if only one begins so, or - for the only live run",
          "steer", "a steer's id, or its first four or more characters",
          "ask", "what the agent calls its question",
          "session", "the id of a session of the web page");

  private final Schemas schemas = new Schemas();

  private OpenApi() {}

  public static Map<String, Object> of(List<Route<?, ?>> routes, String version) {
    return new OpenApi().document(routes, version);
  }

  private Map<String, Object> document(List<Route<?, ?>> routes, String version) {
    Map<String, Object> paths = new LinkedHashMap<>();
    for (Route<?, ?> route : routes) {
      @SuppressWarnings("unchecked")
      Map<String, Object> path =
          (Map<String, Object>)
              paths.computeIfAbsent(route.path(), _ -> new LinkedHashMap<String, Object>());
      path.put(route.verb().name().toLowerCase(Locale.ROOT), operation(route));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put(
        "info",
        map(
            "title",
            "Midcourse",
            "version",
            version,
            "description",
            "Runs coding agents and lets people correct their course as they run.",
            "license",
            map("name", "Apache-2.0", "identifier", "Apache-2.0")));
    document.put("servers", List.of(map("url", "/")));
    document.put("security", List.of(map("token", List.of())));
    document.put("paths", paths);
    Map<String, Object> named = new LinkedHashMap<>(schemas.named());
    named.put("Refusal", refusal());
    document.put(
        "components",
        map(
            "schemas",
            named,
            "securitySchemes",
            map(
                "token",
                map(
                    "type", "http",
                    "scheme", "bearer",
                    "description",
                        "The token in the data folder, or the access token of a session; not on the"
                            + " Unix socket."))));
    return document;
  }

  private Map<String, Object> operation(Route<?, ?> route) {
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("summary", route.summary());
    operation.put("operationId", operationId(route));
    List<Object> parameters = new ArrayList<>(pathParameters(route));
    route.query().fields().forEach(field -> parameters.add(parameter("query", field)));
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    if (route.body().type() == Raw.class) {
      Map<String, Object> content =
          map(
              "schema",
              map("type", "object"),
              "example",
              Schemas.asAsked(route.bodyExample().orElseThrow()));
      operation.put(
          "requestBody", map("required", true, "content", map("application/json", content)));
    } else if (!route.body().fields().isEmpty()) {
      operation.put("requestBody", body(route));
    }
    Map<String, Object> responses = new LinkedHashMap<>();
    for (RouteResponse reply : route.replies()) {
      responses.put(Integer.toString(reply.status()), response(reply));
    }
    Map<Integer, Map<String, Object>> examples = new LinkedHashMap<>();
    for (ErrorResponse refusal : ErrorResponse.of(route)) {
      examples
          .computeIfAbsent(refusal.status(), _ -> new LinkedHashMap<>())
          .put(refusal.code(), map("value", refusal.example()));
    }
    examples.forEach((status, its) -> responses.put(status.toString(), refused(its)));
    responses.put("default", refused(Map.of()));
    operation.put("responses", responses);
    if (route.access() == Route.Access.ANYONE) {
      operation.put("security", List.of());
    }
    return operation;
  }

  /** Returns a unique and stable id, such as get_runs_steers. */
  private static String operationId(Route<?, ?> route) {
    String words = route.path().replace("/api/v1/", "").replaceAll("[^A-Za-z0-9]+", "_");
    String name = words.replaceAll("_$", "");
    return route.verb().name().toLowerCase(Locale.ROOT) + "_" + name;
  }

  private static List<Object> pathParameters(Route<?, ?> route) {
    List<Object> parameters = new ArrayList<>();
    Matcher matcher = NAMED.matcher(route.path());
    while (matcher.find()) {
      String name = matcher.group(1);
      parameters.add(
          map(
              "name",
              name,
              "in",
              "path",
              "required",
              true,
              "description",
              WORDS_OF_PATHS.getOrDefault(name, ""),
              "schema",
              map("type", "string")));
    }
    return parameters;
  }

  private Map<String, Object> parameter(String in, RequestType.Field field) {
    return map(
        "name", field.name(),
        "in", in,
        "required", field.required(),
        "description", field.words(),
        "schema", schemas.asked(field.type()));
  }

  private Map<String, Object> body(Route<?, ?> route) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RequestType.Field field : route.body().fields()) {
      Map<String, Object> schema = new LinkedHashMap<>(schemas.asked(field.type()));
      schema.put("description", field.words());
      if (!field.defaultValue().isEmpty()) {
        schema.put("default", field.defaultValue());
      }
      properties.put(field.name(), schema);
      if (field.required()) {
        required.add(field.name());
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("additionalProperties", false);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    Map<String, Object> content = map("schema", schema);
    route.bodyExample().ifPresent(example -> content.put("example", Schemas.asAsked(example)));
    return map("required", !required.isEmpty(), "content", map("application/json", content));
  }

  private Map<String, Object> response(RouteResponse reply) {
    Map<String, Object> content =
        map("schema", schemas.of(reply.shape()), "example", reply.example());
    return map("description", reply.words(), "content", map(reply.type(), content));
  }

  private static Map<String, Object> refused(Map<String, Object> examples) {
    Map<String, Object> content = map("schema", map("$ref", "#/components/schemas/Refusal"));
    if (!examples.isEmpty()) {
      content.put("examples", examples);
    }
    String codes = examples.isEmpty() ? "any other" : String.join(" or ", examples.keySet());
    return map(
        "description",
        "a refusal (" + codes + "); nothing was changed",
        "content",
        map("application/problem+json", content));
  }

  private static Map<String, Object> refusal() {
    List<String> codes = Arrays.stream(Code.values()).map(Code::wire).toList();
    Map<String, Object> properties =
        map(
            "type", map("type", "string"),
            "title", map("type", "string"),
            "status", map("type", "integer"),
            "code",
                map(
                    "type",
                    "string",
                    "description",
                    "for programs; one of "
                        + String.join(", ", codes)
                        + ", or one of the protocol's own"),
            "field", map("type", "string", "description", "what is at fault"),
            "rule", map("type", "string", "description", "what it should have been"),
            "detail", map("type", "string", "description", "for people"),
            "errors", map("type", "array", "description", "all of them, where several are broken"));
    return map(
        "type",
        "object",
        "properties",
        properties,
        "required",
        List.of("type", "title", "status", "code", "detail"));
  }

  static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
