package dev.midcourse.ledger.json;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.route.GateResult;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the decision about a message as {@code {"gates": [...], "actions": [{"kind": ...}]}} and
 * reads it back. An action that this version cannot read becomes {@link RoutingAction.Unknown}; a
 * gate that it cannot read is left out. Reading never fails.
 */
public final class DecisionCodec {
  private static final JsonMapper MAPPER = JsonCodec.mapper();

  private static final KindCodec<RoutingAction> ACTIONS =
      new KindCodec<>(RoutingAction.class, RoutingAction.Unknown.class, RoutingAction.Unknown::new);

  private static final ObjectReader GATE =
      MAPPER
          .readerFor(GateResult.class)
          .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

  private DecisionCodec() {}

  public static String encode(RoutingDecision decision) {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("gates", MAPPER.valueToTree(decision.gates()));
    ArrayNode actions = json.putArray("actions");
    decision.actions().forEach(action -> actions.add(encode(action)));
    return json.toString();
  }

  /** The kind of an action, as in the stored decision. */
  public static String kindOf(RoutingAction action) {
    return action instanceof RoutingAction.Unknown unknown
        ? unknown.kind()
        : KindCodec.kind(action.getClass());
  }

  public static RoutingDecision decode(String text) {
    JsonNode json;
    try {
      json = MAPPER.readTree(text);
    } catch (JacksonException notJson) {
      return new RoutingDecision(List.of(), List.of(new RoutingAction.Unknown("", text)));
    }
    List<GateResult> gates = new ArrayList<>();
    json.path("gates").forEach(gate -> gate(gate).ifPresent(gates::add));
    List<RoutingAction> actions = new ArrayList<>();
    json.path("actions")
        .forEach(action -> actions.add(ACTIONS.decode(action.path("kind").asString(""), action)));
    if (actions.isEmpty()) {
      actions.add(new RoutingAction.Unknown("", text));
    }
    return new RoutingDecision(gates, actions);
  }

  private static JsonNode encode(RoutingAction action) {
    if (action instanceof RoutingAction.Unknown(String kind, String json)) {
      return kind.isEmpty() ? MAPPER.createObjectNode() : MAPPER.readTree(json);
    }
    ObjectNode json = MAPPER.createObjectNode();
    json.put("kind", kindOf(action));
    json.setAll((ObjectNode) MAPPER.valueToTree(action));
    return json;
  }

  private static Optional<GateResult> gate(JsonNode json) {
    try {
      return Optional.of(GATE.readValue(json));
    } catch (JacksonException | RefusedException unreadable) {
      return Optional.empty();
    }
  }
}
