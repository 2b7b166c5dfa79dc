package dev.midcourse.channels.slack.receive;

import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackIds;
import dev.midcourse.channels.slack.api.SlackNames;
import dev.midcourse.channels.slack.api.SlackText;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads what Slack sends: events, clicks and slash commands. Every input gives an update; what
 * cannot be represented is ignored with a reason.
 */
public final class SlackUpdateReader {
  private static final int MAX_BUTTON = 200;
  private static final int MAX_URL = 2_000;

  private final ChannelName channel;
  private final SlackAccount bot;
  private final SlackNames names;
  private final SlackMessageReader messages;

  public SlackUpdateReader(ChannelName channel, SlackAccount bot, SlackNames names) {
    this.channel = channel;
    this.bot = bot;
    this.names = names;
    this.messages = new SlackMessageReader(channel, bot, names);
  }

  /** Reads the payload of an event: the object around the event. */
  public SlackUpdate event(JsonValue.Obj payload) {
    if (!isForUs(payload)) {
      return new SlackUpdate.Ignored("it is for another installation of the app");
    }
    try {
      return read(payload.object("event"));
    } catch (RefusedException | IllegalArgumentException e) {
      return new SlackUpdate.Ignored(String.valueOf(e.getMessage()));
    }
  }

  /** An app that is installed in several workspaces gets the events of all on one socket. */
  private boolean isForUs(JsonValue.Obj payload) {
    List<JsonValue.Obj> authorizations = payload.objects("authorizations");
    if (!authorizations.isEmpty()) {
      return authorizations.stream()
          .anyMatch(it ->
              it.string("user_id").equals(Optional.of(bot.user()))
                  || it.string("team_id").equals(Optional.of(bot.team())));
    }
    return payload.string("team_id").map(bot.team()::equals).orElse(true);
  }

  private SlackUpdate read(JsonValue.Obj event) {
    String type = event.string("type").orElse("");
    return switch (type) {
      case "message", "app_mention" -> messages.read(event);
      case "channel_left", "group_left" -> closed(event, "the app was removed from the channel");
      case "channel_archive", "group_archive" -> closed(event, "the channel was archived");
      case "channel_deleted", "group_deleted" -> closed(event, "the channel was deleted");
      case "channel_unarchive", "group_unarchive" -> opened(event);
      case "member_joined_channel" ->
          event.string("user").equals(Optional.of(bot.user()))
              ? opened(event)
              : new SlackUpdate.Ignored("somebody else joined");
      case "channel_id_changed" -> moved(event);
      case "app_uninstalled" -> new SlackUpdate.Revoked("the app was uninstalled from Slack");
      case "tokens_revoked" ->
          event.object("tokens").texts("bot").contains(bot.user())
              ? new SlackUpdate.Revoked("the token of the bot was revoked in Slack")
              : new SlackUpdate.Ignored("tokens of others were revoked");
      default -> new SlackUpdate.Ignored("events of the type " + SlackText.cut(type, 60));
    };
  }

  private static SlackUpdate closed(JsonValue.Obj event, String reason) {
    return chat(event, "channel")
        .<SlackUpdate>map(id -> new SlackUpdate.Notice(new ChannelNotice.ChatClosed(id, reason)))
        .orElseGet(SlackUpdateReader::withoutChat);
  }

  private SlackUpdate opened(JsonValue.Obj event) {
    return chat(event, "channel")
        .<SlackUpdate>map(
            id -> new SlackUpdate.Notice(new ChannelNotice.ChatOpened(id, names.chat(id))))
        .orElseGet(SlackUpdateReader::withoutChat);
  }

  private static SlackUpdate moved(JsonValue.Obj event) {
    Optional<String> from = chat(event, "old_channel_id");
    Optional<String> to = chat(event, "new_channel_id");
    return from.isPresent() && to.isPresent()
        ? new SlackUpdate.Notice(new ChannelNotice.ChatMoved(from.get(), to.get()))
        : withoutChat();
  }

  private static Optional<String> chat(JsonValue.Obj event, String field) {
    return event.string(field).filter(SlackIds::isId);
  }

  private static SlackUpdate withoutChat() {
    return new SlackUpdate.Ignored("it names no channel");
  }

  /** Reads the payload of an interaction. */
  public SlackUpdate interaction(JsonValue.Obj payload, Instant now) {
    if (!payload.string("type").equals(Optional.of("block_actions"))) {
      return new SlackUpdate.Ignored("it is no click on a button");
    }
    try {
      return click(payload, now);
    } catch (RefusedException | IllegalArgumentException e) {
      return new SlackUpdate.Ignored(String.valueOf(e.getMessage()));
    }
  }

  private SlackUpdate click(JsonValue.Obj payload, Instant now) {
    JsonValue.Obj container = payload.object("container");
    Optional<String> chat =
        payload
            .object("channel")
            .string("id")
            .or(() -> container.string("channel_id"))
            .filter(SlackIds::isId);
    Optional<String> ts =
        payload
            .object("message")
            .string("ts")
            .or(() -> container.string("message_ts"))
            .filter(SlackIds::isTs);
    Optional<JsonValue.Obj> action = payload.objects("actions").stream().findFirst();
    Optional<String> button =
        action
            .flatMap(it -> it.string("value"))
            .filter(value -> !value.isBlank() && value.length() <= MAX_BUTTON);
    Optional<String> user = payload.object("user").string("id").filter(SlackIds::isId);
    if (chat.isEmpty() || ts.isEmpty() || button.isEmpty() || user.isEmpty()) {
      return new SlackUpdate.Ignored("the click lacks its channel, message, button or user");
    }
    Optional<String> time = action.flatMap(it -> it.string("action_ts")).filter(SlackIds::isTs);
    String key =
        "click:%s:%s:%s:%s:%s"
            .formatted(
                chat.get(),
                ts.get(),
                user.get(),
                button.get(),
                time.or(() -> payload.string("trigger_id").map(id -> SlackText.cut(id, 100)))
                    .orElse(""));
    return new SlackUpdate.Click(
        new ButtonClick(
            new MessageRef(channel, chat.get(), ts.get()),
            key,
            sender(user.get()),
            button.get(),
            time.map(SlackIds::instant).orElse(now)),
        payload.string("response_url").filter(url -> url.length() <= MAX_URL));
  }

  /** Reads the payload of a slash command: a message to the bot that others do not see. */
  public SlackUpdate command(JsonValue.Obj payload, Instant now) {
    Optional<String> chat = chat(payload, "channel_id");
    Optional<String> user = payload.string("user_id").filter(SlackIds::isId);
    Optional<String> trigger =
        payload.string("trigger_id").filter(id -> !id.isBlank() && id.length() <= 100);
    if (chat.isEmpty() || user.isEmpty() || trigger.isEmpty()) {
      return new SlackUpdate.Ignored("the command lacks its channel, user or trigger");
    }
    try {
      return messages.command(
          chat.get(), sender(user.get()), trigger.get(), payload.string("text").orElse(""), now);
    } catch (RefusedException | IllegalArgumentException e) {
      return new SlackUpdate.Ignored(String.valueOf(e.getMessage()));
    }
  }

  /** Reads a message of the history of a channel: the message, and its edit if it has one. */
  public List<SlackUpdate> history(String chat, JsonValue.Obj message) {
    try {
      return messages.history(chat, message);
    } catch (RefusedException | IllegalArgumentException e) {
      return List.of(new SlackUpdate.Ignored(String.valueOf(e.getMessage())));
    }
  }

  private Sender sender(String user) {
    return new Sender(
        Optional.of(new Identity(channel, user)),
        names.user(user).orElse(user),
        user.equals(bot.user()) ? SenderKind.SELF : SenderKind.PERSON);
  }
}
