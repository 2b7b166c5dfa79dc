package dev.midcourse.channels.wire;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Writes a request as the JSON body that the other program gets. */
public final class RequestWriter {
  private RequestWriter() {}

  public static String write(OutboundId id, ChannelRequest request) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    put(fields, "id", id.value());
    put(fields, "type", type(request));
    put(fields, "chat", request.to().chat());
    put(fields, "thread", request.to().thread());
    switch (request) {
      case ChannelRequest.SendText(var _, String markdown, var replyTo) -> {
        put(fields, "text", markdown);
        put(fields, "reply_to", replyTo);
      }
      case ChannelRequest.EditText(var _, String message, String markdown) -> {
        put(fields, "message_id", message);
        put(fields, "text", markdown);
      }
      case ChannelRequest.SetReaction(var _, String message, var status) -> {
        put(fields, "message_id", message);
        put(fields, "status", status.wire());
      }
      case ChannelRequest.SendCard(var _, String title, String markdown, var buttons) -> {
        put(fields, "title", title);
        put(fields, "text", markdown);
        fields.put(
            "buttons",
            new JsonValue.Arr(
                buttons.stream()
                    .<JsonValue>map(button -> {
                      Map<String, JsonValue> one = new LinkedHashMap<>();
                      put(one, "id", button.id());
                      put(one, "label", button.label());
                      return new JsonValue.Obj(one);
                    })
                    .toList()));
      }
      case ChannelRequest.CloseCard(var _, String message, String markdown) -> {
        put(fields, "message_id", message);
        put(fields, "text", markdown);
      }
      case ChannelRequest.SendFile(var _, var _, String name, var caption) -> {
        put(fields, "name", name);
        put(fields, "text", caption);
      }
    }
    return JsonWriter.compact(new JsonValue.Obj(fields));
  }

  private static String type(ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.SendText _ -> "text";
      case ChannelRequest.EditText _ -> "edit";
      case ChannelRequest.SetReaction _ -> "reaction";
      case ChannelRequest.SendCard _ -> "card";
      case ChannelRequest.CloseCard _ -> "close_card";
      case ChannelRequest.SendFile _ -> "file";
    };
  }

  private static void put(Map<String, JsonValue> fields, String name, String text) {
    fields.put(name, new JsonValue.Str(text));
  }

  private static void put(Map<String, JsonValue> fields, String name, Optional<String> text) {
    text.ifPresent(value -> put(fields, name, value));
  }
}
