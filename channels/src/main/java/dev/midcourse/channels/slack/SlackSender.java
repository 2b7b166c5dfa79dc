package dev.midcourse.channels.slack;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackAnswer;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackErrors;
import dev.midcourse.channels.slack.api.SlackFiles;
import dev.midcourse.channels.slack.api.SlackIds;
import dev.midcourse.channels.slack.receive.SlackPosition;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Carries out requests and says what is known about their results. */
final class SlackSender {
  private final SlackClient client;
  private final SlackPosition position;
  private final SlackReactions reactions;
  private final SlackFiles files;
  private final Supplier<Optional<SlackAccount>> bot;
  private final Consumer<SlackAnswer.Failed> onRevoked;

  /**
   * @param onRevoked is told when Slack no longer knows the token
   */
  SlackSender(
      SlackClient client,
      SlackPosition position,
      InstantSource clock,
      Supplier<Optional<SlackAccount>> bot,
      Consumer<SlackAnswer.Failed> onRevoked) {
    this.client = client;
    this.position = position;
    this.reactions = new SlackReactions(client, clock.instant());
    this.files = new SlackFiles(client);
    this.bot = bot;
    this.onRevoked = onRevoked;
  }

  SendResult send(OutboundId id, ChannelRequest request) {
    try {
      return switch (request) {
        case ChannelRequest.SendText(ChatAddress to, String markdown, var _) ->
            post(to, SlackRequestWriter.text(id, to, markdown));
        case ChannelRequest.SendCard(ChatAddress to, String title, String markdown, var buttons) ->
            post(to, SlackRequestWriter.card(id, to, title, markdown, buttons));
        case ChannelRequest.EditText(ChatAddress to, String message, String markdown) ->
            update(SlackRequestWriter.edit(to, message, markdown));
        case ChannelRequest.CloseCard(ChatAddress to, String message, String markdown) ->
            update(SlackRequestWriter.closedCard(to, message, markdown));
        case ChannelRequest.SetReaction(ChatAddress to, String message, var status) ->
            reactions.set(to.chat(), message, status, bot.get());
        case ChannelRequest.SendFile file -> files.send(file);
      };
    } catch (PlatformException e) {
      return e.sendResult();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub was closed while it waited for the answer");
    }
  }

  private SendResult post(ChatAddress to, Map<String, String> arguments)
      throws PlatformException, InterruptedException {
    SendResult result = result(client.call("chat.postMessage", arguments));
    if (result instanceof SendResult.Sent && to.thread().isPresent()) {
      position.remember(to.chat(), to.thread().get());
    }
    return result;
  }

  private SendResult update(Map<String, String> arguments)
      throws PlatformException, InterruptedException {
    return result(client.call("chat.update", arguments));
  }

  private SendResult result(SlackAnswer answer) {
    if (answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _)) {
      Optional<String> ts = body.string("ts").filter(SlackIds::isTs);
      if (ts.isPresent()) {
        return new SendResult.Sent(ts.get());
      }
    }
    if (answer instanceof SlackAnswer.Failed failed && SlackErrors.isRevoked(failed.error())) {
      onRevoked.accept(failed);
    }
    return SlackErrors.sendResult(answer);
  }
}
