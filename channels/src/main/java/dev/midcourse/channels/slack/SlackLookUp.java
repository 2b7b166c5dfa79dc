package dev.midcourse.channels.slack;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.slack.api.SlackAnswer;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackIds;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for a message of ours in the history of its chat or thread, by the id in its metadata. A
 * message is absent only if the whole history was read.
 */
final class SlackLookUp {
  private static final int MAX_PAGES = 10;
  private static final String PAGE = "200";

  private final SlackClient client;

  SlackLookUp(SlackClient client) {
    this.client = client;
  }

  LookUpResult find(OutboundId id, ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.SendText(ChatAddress to, var _, var _) -> find(id, to);
      case ChannelRequest.SendCard(ChatAddress to, var _, var _, var _) -> find(id, to);
      case ChannelRequest.SendFile _ ->
          new LookUpResult.NotKnown("Slack stores no id of ours with a file");
      case ChannelRequest.EditText _, ChannelRequest.SetReaction _, ChannelRequest.CloseCard _ ->
          new LookUpResult.Absent();
    };
  }

  private LookUpResult find(OutboundId id, ChatAddress to) {
    try {
      return search(id, to);
    } catch (PlatformException e) {
      return new LookUpResult.NotKnown(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new LookUpResult.NotKnown("the hub was closed while it searched");
    }
  }

  private LookUpResult search(OutboundId id, ChatAddress to)
      throws PlatformException, InterruptedException {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("channel", to.chat());
    to.thread().ifPresent(thread -> arguments.put("ts", thread));
    arguments.put("include_all_metadata", "true");
    arguments.put("limit", PAGE);
    String method = to.thread().isPresent() ? "conversations.replies" : "conversations.history";
    for (int page = 0; page < MAX_PAGES; page++) {
      SlackAnswer answer = client.call(method, arguments);
      if (!(answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _))) {
        return new LookUpResult.NotKnown("the history of the chat cannot be read");
      }
      for (JsonValue.Obj message : body.objects("messages")) {
        Optional<String> ts = message.string("ts").filter(SlackIds::isTs);
        if (ts.isPresent() && SlackRequestWriter.idOf(message).equals(Optional.of(id.value()))) {
          return new LookUpResult.Found(ts.get());
        }
      }
      Optional<String> next =
          body.object("response_metadata").string("next_cursor").filter(it -> !it.isBlank());
      if (next.isEmpty()) {
        return body.is("has_more")
            ? new LookUpResult.NotKnown("Slack shows only a part of the history")
            : new LookUpResult.Absent();
      }
      arguments.put("cursor", next.get());
    }
    return new LookUpResult.NotKnown("the chat has too many messages to search");
  }
}
