package dev.midcourse.ledger.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.question.QuestionId;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.steer.SteerText;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * Writes and reads records as JSON: names in snake_case, absent values left out, times and
 * durations in ISO-8601, ids as strings, enumerations by their wire names. A record is written by
 * its components; a method such as {@code isNews} adds no field.
 */
public final class JsonCodec {
  private static final Names NAMES = new Names();

  private static final JsonMapper MAPPER = build();

  private JsonCodec() {}

  public static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** The JSON name of a record component. */
  public static String nameOf(String component) {
    return NAMES.translate(component);
  }

  public static JsonMapper mapper() {
    return MAPPER;
  }

  private static JsonMapper build() {
    SimpleModule types = new SimpleModule("midcourse");
    asText(types, AgentName.class, AgentName::of);
    asText(types, GroupName.class, GroupName::of);
    asText(types, BranchName.class, BranchName::of);
    asText(types, FindingId.class, FindingId::of);
    asText(types, HostName.class, HostName::of);
    asText(types, IdempotencyKey.class, IdempotencyKey::of);
    asText(types, LoopId.class, LoopId::of);
    asText(types, RunId.class, RunId::of);
    asText(types, ScheduleId.class, ScheduleId::of);
    asText(types, ConversationId.class, ConversationId::of);
    asText(types, SessionId.class, SessionId::of);
    asText(types, SteerId.class, SteerId::of);
    asText(types, SteerText.class, SteerText::of);
    asText(types, WorkerName.class, WorkerName::of);
    asText(types, ApprovalId.class, ApprovalId::of);
    asText(types, ChannelName.class, ChannelName::of);
    asText(types, ChatId.class, ChatId::of);
    asText(types, ConversationId.class, ConversationId::of);
    asText(types, EngagePattern.class, EngagePattern::of);
    asText(types, Identity.class, Identity::of);
    asText(types, OutboundId.class, OutboundId::of);
    asText(types, PersonId.class, PersonId::of);
    asText(types, QuestionId.class, QuestionId::of);
    asText(types, WiringId.class, WiringId::of);
    types.addSerializer(Usage.class, new SpentAsMoney());
    types.addDeserializer(Usage.class, new SpentFromMoney());
    types.addSerializer(Capabilities.class, new CapabilitiesWriter());
    types.addDeserializer(Capabilities.class, new CapabilitiesReader());
    return JsonMapper.builder()
        .addModule(types)
        .changeDefaultVisibility(
            members -> members.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
        .propertyNamingStrategy(NAMES)
        .changeDefaultPropertyInclusion(
            all -> all.withValueInclusion(JsonInclude.Include.NON_ABSENT))
        .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
        .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
        .build();
  }

  private static <T> void asText(SimpleModule types, Class<T> type, Function<String, T> parser) {
    types.addSerializer(type, ToStringSerializer.instance);
    types.addDeserializer(
        type,
        new StdDeserializer<T>(type) {
          @Override
          public T deserialize(JsonParser json, DeserializationContext context) {
            return parser.apply(json.getString());
          }
        });
  }

  /** Snake case; a component that holds an id, such as {@code run}, is named {@code run_id}. */
  private static final class Names extends SnakeCaseStrategy {
    private static final long serialVersionUID = 1;
    private static final Map<String, String> IDS =
        Map.of("run", "run_id", "steer", "steer_id", "session", "session_id");

    @Override
    public String translate(String name) {
      return IDS.getOrDefault(name, super.translate(name));
    }
  }

  /** One boolean for each capability, whether it is present or not. */
  private static final class CapabilitiesWriter extends StdSerializer<Capabilities> {
    CapabilitiesWriter() {
      super(Capabilities.class);
    }

    @Override
    public void serialize(
        Capabilities capabilities, JsonGenerator json, SerializationContext context) {
      json.writeStartObject();
      for (Capability capability : Capability.values()) {
        json.writeBooleanProperty(WireNames.name(capability), capabilities.has(capability));
      }
      json.writeEndObject();
    }
  }

  /** A missing field means that the capability is absent. An unknown field is ignored. */
  private static final class CapabilitiesReader extends StdDeserializer<Capabilities> {
    CapabilitiesReader() {
      super(Capabilities.class);
    }

    @Override
    public Capabilities deserialize(JsonParser json, DeserializationContext context) {
      JsonNode fields = context.readTree(json);
      Set<Capability> present = EnumSet.noneOf(Capability.class);
      for (Capability capability : Capability.values()) {
        if (fields.path(WireNames.name(capability)).asBoolean(false)) {
          present.add(capability);
        }
      }
      return new Capabilities(present);
    }
  }

  /** Writes the cost in dollars, exact to the millionth. */
  private static final class SpentAsMoney extends StdSerializer<Usage> {
    SpentAsMoney() {
      super(Usage.class);
    }

    @Override
    public void serialize(Usage spent, JsonGenerator json, SerializationContext context) {
      json.writeStartObject();
      json.writeNumberProperty("input_tokens", spent.inputTokens());
      json.writeNumberProperty("output_tokens", spent.outputTokens());
      json.writeNumberProperty("cost_usd", BigDecimal.valueOf(spent.microDollars(), 6));
      json.writeEndObject();
    }
  }

  /** Reads what {@link SpentAsMoney} writes. */
  private static final class SpentFromMoney extends StdDeserializer<Usage> {
    private record Money(long inputTokens, long outputTokens, BigDecimal costUsd) {}

    SpentFromMoney() {
      super(Usage.class);
    }

    @Override
    public Usage deserialize(JsonParser json, DeserializationContext context) {
      Money spent = context.readValue(json, Money.class);
      long microDollars = spent.costUsd().movePointRight(6).longValue();
      return new Usage(spent.inputTokens(), spent.outputTokens(), microDollars);
    }
  }
}
