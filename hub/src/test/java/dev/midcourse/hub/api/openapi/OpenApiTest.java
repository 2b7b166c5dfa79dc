package dev.midcourse.hub.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.hub.HubFixture;
import dev.midcourse.hub.RawClient;
import dev.midcourse.hub.api.Api;
import dev.midcourse.hub.api.chat.ApprovalDecider;
import dev.midcourse.hub.api.chat.ChatOperations;
import dev.midcourse.hub.api.chat.ChatRoutes;
import dev.midcourse.hub.api.chat.MessageOperations;
import dev.midcourse.hub.api.chat.PeopleOperations;
import dev.midcourse.hub.api.chat.PeopleRoutes;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.http.route.RequestType;
import dev.midcourse.hub.http.route.Route;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class OpenApiTest {
  @TempDir static Path data;
  private static HubFixture fixture;
  private static JsonNode document;

  @BeforeAll
  static void open() {
    fixture = HubFixture.open(data);
    document = fixture.socket().get("/api/v1/openapi.json").json();
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Test
  void every_path_and_method_of_the_agreed_api_is_described() {
    assertThat(document.path("openapi").asString("")).isEqualTo("3.1.0");
    Set<String> operations = new HashSet<>();
    document
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .propertyNames()
                .forEach(verb -> operations.add(verb + " " + path.getKey())));
    assertThat(operations)
        .containsExactlyInAnyOrder(
            "post /api/v1/runs",
            "get /api/v1/runs",
            "get /api/v1/runs/{run}",
            "post /api/v1/runs/{run}/stop",
            "post /api/v1/runs/{run}/dismiss",
            "post /api/v1/runs/{run}/restart",
            "post /api/v1/runs/{run}/review",
            "post /api/v1/runs/{run}/repair",
            "get /api/v1/runs/{run}/diff",
            "post /api/v1/dispatch",
            "post /api/v1/contract/check",
            "get /api/v1/contract/schema",
            "get /api/v1/runs/{run}/turns",
            "get /api/v1/runs/{run}/attempts",
            "get /api/v1/runs/{run}/log",
            "get /api/v1/runs/{run}/events",
            "post /api/v1/runs/{run}/steers",
            "get /api/v1/runs/{run}/steers",
            "get /api/v1/steers/{steer}",
            "patch /api/v1/steers/{steer}",
            "post /api/v1/steers/{steer}/withdraw",
            "post /api/v1/steers/{steer}/promote",
            "post /api/v1/loops",
            "get /api/v1/loops",
            "get /api/v1/merge-queues",
            "post /api/v1/loops/plan",
            "get /api/v1/forges",
            "get /api/v1/loops/{loop}",
            "get /api/v1/loops/{loop}/diff",
            "post /api/v1/loops/{loop}/steers",
            "post /api/v1/loops/{loop}/steers/{steer}/withdraw",
            "post /api/v1/loops/{loop}/restart",
            "post /api/v1/loops/{loop}/go",
            "post /api/v1/loops/{loop}/skip",
            "post /api/v1/loops/{loop}/pause",
            "post /api/v1/loops/{loop}/stop",
            "post /api/v1/loops/{loop}/land",
            "post /api/v1/loops/{loop}/review",
            "post /api/v1/loops/{loop}/findings/{finding}",
            "post /api/v1/schedules",
            "get /api/v1/schedules",
            "get /api/v1/schedules/{schedule}",
            "patch /api/v1/schedules/{schedule}",
            "post /api/v1/schedules/{schedule}/pause",
            "post /api/v1/schedules/{schedule}/resume",
            "post /api/v1/schedules/{schedule}/cancel",
            "post /api/v1/schedules/{schedule}/run",
            "get /api/v1/runs/{run}/asks",
            "post /api/v1/runs/{run}/asks/{ask}",
            "get /api/v1/events",
            "get /api/v1/health",
            "get /api/v1/metrics",
            "get /api/v1/agents",
            "get /api/v1/workers",
            "get /api/v1/groups",
            "post /api/v1/shutdown",
            "post /api/v1/prune",
            "post /api/v1/sign-in-codes",
            "post /api/v1/sign-in-codes/discard",
            "post /api/v1/sessions",
            "get /api/v1/sessions",
            "delete /api/v1/sessions",
            "patch /api/v1/sessions/{session}",
            "delete /api/v1/sessions/{session}",
            "post /api/v1/sessions/{session}/challenge",
            "post /api/v1/sessions/{session}/access",
            "post /api/v1/token/challenge",
            "post /api/v1/token/rotate",
            "get /api/v1/people",
            "post /api/v1/people",
            "get /api/v1/people/{person}",
            "patch /api/v1/people/{person}",
            "delete /api/v1/people/{person}",
            "post /api/v1/people/{person}/identities",
            "delete /api/v1/people/{person}/identities",
            "post /api/v1/people/{person}/link-codes",
            "post /api/v1/people/{person}/roles",
            "delete /api/v1/people/{person}/roles",
            "post /api/v1/owner-codes",
            "get /api/v1/channels",
            "post /api/v1/channels",
            "get /api/v1/channel-kinds",
            "post /api/v1/channels/{channel}/test",
            "delete /api/v1/channels/{channel}",
            "get /api/v1/chats",
            "get /api/v1/chats/{chat}",
            "patch /api/v1/chats/{chat}",
            "delete /api/v1/chats/{chat}",
            "get /api/v1/chats/{chat}/messages",
            "get /api/v1/conversations",
            "get /api/v1/wirings",
            "post /api/v1/wirings",
            "patch /api/v1/wirings/{wiring}",
            "delete /api/v1/wirings/{wiring}",
            "get /api/v1/messages",
            "get /api/v1/why",
            "get /api/v1/approvals",
            "post /api/v1/approvals/{approval}",
            "get /api/v1/questions",
            "get /api/v1/outbox",
            "post /api/v1/outbox/{outbound}/dismiss",
            "post /api/v1/outbox/{outbound}/retry",
            "get /api/v1/openapi.json");
  }

  @Test
  void every_operation_has_a_name_of_its_own_and_tells_how_it_refuses() {
    List<String> names = new ArrayList<>();
    for (JsonNode operation : operations()) {
      names.add(operation.path("operationId").asString(""));
      assertThat(operation.path("summary").asString("")).isNotEmpty();
      assertThat(operation.path("responses").has("default")).isTrue();
    }
    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(20);
  }

  @Test
  void every_example_fits_the_schema_beside_it() {
    int checked = 0;
    for (JsonNode operation : operations()) {
      checked += fits(operation.path("requestBody").path("content"), operation);
      for (JsonNode response : operation.path("responses")) {
        checked += fits(response.path("content"), operation);
      }
    }
    assertThat(checked).isGreaterThan(30);
  }

  private static int fits(JsonNode contents, JsonNode operation) {
    int checked = 0;
    for (JsonNode content : contents) {
      if (content.has("example")) {
        assertThat(schema(content.path("schema")).validate(content.path("example")))
            .as(operation.path("operationId").asString("") + ": " + content.path("example"))
            .isEmpty();
        checked++;
      }
      for (JsonNode named : content.path("examples")) {
        assertThat(schema(content.path("schema")).validate(named.path("value")))
            .as(operation.path("operationId").asString("") + ": " + named)
            .isEmpty();
        checked++;
      }
    }
    return checked;
  }

  /** Returns the schema with the schemas that it refers to. */
  private static Schema schema(JsonNode part) {
    ObjectNode whole = ((ObjectNode) part).deepCopy();
    whole.set("components", document.path("components"));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(whole);
  }

  @Test
  void a_real_run_a_real_receipt_and_real_events_fit_what_is_published() {
    String run = fixture.busyRun();
    fixture.socket().post("/api/v1/runs/" + run + "/steers", "{\"text\":\"x\",\"ttl\":\"5m\"}");
    for (String path :
        List.of(
            "/api/v1/runs/{run}",
            "/api/v1/runs",
            "/api/v1/runs/{run}/steers",
            "/api/v1/runs/{run}/turns",
            "/api/v1/runs/{run}/attempts",
            "/api/v1/runs/{run}/asks",
            "/api/v1/runs/{run}/events",
            "/api/v1/health",
            "/api/v1/agents",
            "/api/v1/workers",
            "/api/v1/groups")) {
      JsonNode real = fixture.socket().get(path.replace("{run}", run)).json();
      JsonNode schema =
          document
              .path("paths")
              .path(path)
              .path("get")
              .path("responses")
              .path("200")
              .path("content")
              .path("application/json")
              .path("schema");
      assertThat(schema(schema).validate(real)).as(path + ": " + real).isEmpty();
    }
  }

  /** Seen to fail when the table of refusals lacks a refusal that a route returns. */
  @Test
  void a_real_refusal_is_among_those_that_are_published_and_fits() {
    String run = fixture.busyRun();
    String steers = "/api/v1/runs/" + run + "/steers";
    String key = "\"key\":\"once\"}";
    fixture.socket().post(steers, "{\"text\":\"x\"," + key);
    String steer = fixture.steers(run).getFirst().path("steer_id").asString();
    String ended = fixture.run("$ echo hi");
    fixture.end(ended);
    RawClient person = fixture.socket();
    String its = "/api/v1/runs/{run}/steers";
    published(person.post(steers, "{\"text\":\"y\"," + key), 409, "post", its);
    published(person.post(steers, "{\"text\":\" \"}"), 422, "post", its);
    published(person.post(steers, "{\"text\":\"" + "x".repeat(70_000) + "\"}"), 413, "post", its);
    published(
        person.post("/api/v1/runs/" + ended + "/steers", "{\"text\":\"x\"}"), 410, "post", its);
    published(person.post("/api/v1/runs/nobody/steers", "{\"text\":\"x\"}"), 404, "post", its);
    published(fixture.stranger().get("/api/v1/runs"), 401, "get", "/api/v1/runs");
    published(
        person.post("/api/v1/runs/" + ended + "/stop", ""), 410, "post", "/api/v1/runs/{run}/stop");
    published(
        person.post("/api/v1/runs", "{\"prompt\":\"x\",\"run_id\":\"" + run + "\"}"),
        409,
        "post",
        "/api/v1/runs");
    published(
        person.post("/api/v1/runs/" + run + "/restart", ""),
        409,
        "post",
        "/api/v1/runs/{run}/restart");
    person.post("/api/v1/runs/" + run + "/stop", "{\"wait\":true}");
    published(
        person.post("/api/v1/steers/" + steer + "/withdraw", ""),
        409,
        "post",
        "/api/v1/steers/{steer}/withdraw");
  }

  private static void published(RawClient.Reply refused, int status, String verb, String path) {
    assertThat(refused.status()).as(refused.body()).isEqualTo(status);
    JsonNode content =
        document
            .path("paths")
            .path(path)
            .path(verb)
            .path("responses")
            .path(Integer.toString(status))
            .path("content")
            .path("application/problem+json");
    assertThat(content.path("examples").has(refused.text("code")))
        .as("%s %s: %s", verb, path, refused.body())
        .isTrue();
    assertThat(schema(content.path("schema")).validate(refused.json()))
        .as(refused.body())
        .isEmpty();
  }

  @Test
  void every_example_of_a_body_is_taken_by_its_form() {
    for (Route<?, ?> route : routes()) {
      route
          .bodyExample()
          .ifPresent(example -> {
            byte[] body = Schemas.asAsked(example).toString().getBytes(StandardCharsets.UTF_8);
            assertThat((Object) route.body().read(body)).as(route.path()).isEqualTo(example);
          });
    }
  }

  @Test
  void every_field_that_can_be_asked_for_says_what_it_means() {
    for (Route<?, ?> route : routes()) {
      List<RequestType.Field> fields = new ArrayList<>(route.body().fields());
      fields.addAll(route.query().fields());
      assertThat(fields).as(route.path()).noneMatch(field -> field.words().isEmpty());
    }
  }

  private static List<Route<?, ?>> routes() {
    HubContext parts = fixture.parts();
    ApprovalDecider decider = new NoDecider();
    ChatOperations chats = new ChatOperations(parts, decider, fixture.conversationWorkers());
    List<Route<?, ?>> described = new ArrayList<>(fixture.scheduleRoutes());
    described.addAll(new PeopleRoutes(new PeopleOperations(parts, decider)).routes());
    described.addAll(new ChatRoutes(chats, new MessageOperations(parts, chats, _ -> {})).routes());
    return Api.routes(parts, new HubOperations(parts), described, List.of()).all();
  }

  private static final class NoDecider implements ApprovalDecider {
    @Override
    public Optional<Outcome> decide(ApprovalId approval, ApprovalDecision decision, Caller caller) {
      return Optional.empty();
    }

    @Override
    public void settle(Caller caller) {}
  }

  private static List<JsonNode> operations() {
    List<JsonNode> operations = new ArrayList<>();
    document.path("paths").forEach(path -> path.forEach(operations::add));
    return operations;
  }
}
