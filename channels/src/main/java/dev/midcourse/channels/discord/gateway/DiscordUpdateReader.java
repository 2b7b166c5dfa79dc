package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.discord.api.DiscordPlace;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Turns objects of Discord into messages and clicks. What is not written by an account as text or
 * files, such as a note that somebody joined, and what has no valid ids gives nothing.
 */
public final class DiscordUpdateReader {
  private static final int MAX_TEXT = 64 * 1024;
  private static final int MAX_ATTACHMENTS = 20;
  private static final int MAX_REFERENCE = 2_000;
  private static final int MAX_BUTTON = 100;
  private static final long MESSAGE = 0;
  private static final long REPLY = 19;
  private static final long COMPONENT = 3;
  private static final Pattern USER_MENTION = Pattern.compile("<@!?(\\d{1,20})>");
  private static final Pattern ROLE_MENTION = Pattern.compile("<@&(\\d{1,20})>");

  private final ChannelName channel;

  public DiscordUpdateReader(ChannelName channel) {
    this.channel = channel;
  }

  /**
   * Where a message was written.
   *
   * @param bot the id of the bot
   * @param roles the roles of the bot itself, whose mention mentions the bot
   */
  public record Setting(
      String chat, Optional<String> thread, ChatFacts facts, String bot, Set<String> roles) {}

  /** Reads a message as it is now: as new, or as changed. */
  public Optional<InboundMessage> message(JsonValue.Obj message, InboundKind kind, Setting in) {
    Optional<String> id = message.string("id").filter(Snowflake::isValid);
    Optional<Sender> sender = sender(message, in.bot());
    long type = message.number("type").orElse(MESSAGE);
    Optional<String> edited = message.string("edited_timestamp");
    if (id.isEmpty()
        || sender.isEmpty()
        || (type != MESSAGE && type != REPLY)
        || (kind == InboundKind.EDIT && edited.flatMap(DiscordUpdateReader::time).isEmpty())) {
      return Optional.empty();
    }
    String text = text(message);
    List<Attachment> attachments = attachments(message);
    if (text.isBlank() && attachments.isEmpty() && kind == InboundKind.MESSAGE) {
      return Optional.empty();
    }
    boolean isDirect = in.facts().kind() == ChatKind.DIRECT;
    return Optional.of(
        new InboundMessage(
            new MessageRef(channel, in.chat(), id.get()),
            in.thread(),
            kind == InboundKind.EDIT ? "e:" + id.get() + ":" + plainKey(edited) : "m:" + id.get(),
            kind,
            sender.get(),
            in.facts(),
            text,
            bareText(text, in),
            isDirect || mentions(message, text, in),
            replyTo(message, in.bot()),
            attachments,
            (kind == InboundKind.EDIT ? edited : message.string("timestamp"))
                .flatMap(DiscordUpdateReader::time)
                .orElseGet(() -> Snowflake.time(id.get()))));
  }

  /** Reads a deletion. Discord tells neither who deleted the message nor its author. */
  Optional<InboundMessage> deletion(String message, Setting in, Instant now) {
    if (!Snowflake.isValid(message)) {
      return Optional.empty();
    }
    return Optional.of(
        new InboundMessage(
            new MessageRef(channel, in.chat(), message),
            in.thread(),
            "d:" + message,
            InboundKind.DELETION,
            new Sender(Optional.empty(), "somebody", SenderKind.PERSON),
            in.facts(),
            "",
            "",
            in.facts().kind() == ChatKind.DIRECT,
            Optional.empty(),
            List.of(),
            now));
  }

  /** Reads a click on a button; empty for another interaction. */
  public Optional<ButtonClick> click(JsonValue.Obj interaction, String chat, String bot) {
    Optional<String> id = interaction.string("id").filter(Snowflake::isValid);
    Optional<String> card = interaction.object("message").string("id").filter(Snowflake::isValid);
    Optional<String> button =
        interaction
            .object("data")
            .string("custom_id")
            .filter(text -> !text.isBlank() && text.length() <= MAX_BUTTON)
            .filter(text -> text.codePoints().noneMatch(Character::isISOControl));
    JsonValue.Obj member = interaction.object("member").object("user");
    JsonValue.Obj user = member.fields().isEmpty() ? interaction.object("user") : member;
    Optional<Sender> sender = account(user, Optional.empty(), bot);
    boolean isClick = interaction.number("type").filter(type -> type == COMPONENT).isPresent();
    if (!isClick || id.isEmpty() || card.isEmpty() || button.isEmpty() || sender.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ButtonClick(
            new MessageRef(channel, chat, card.get()),
            "i:" + id.get(),
            sender.get(),
            button.get(),
            Snowflake.time(id.get())));
  }

  private Optional<Sender> sender(JsonValue.Obj message, String bot) {
    JsonValue.Obj author = message.object("author");
    Optional<String> nick =
        message.object("member").string("nick").or(() -> author.string("global_name"));
    return account(author, nick, bot)
        .map(sender ->
            message.string("webhook_id").isPresent() && sender.kind() == SenderKind.PERSON
                ? new Sender(sender.identity(), sender.name(), SenderKind.BOT)
                : sender);
  }

  private Optional<Sender> account(JsonValue.Obj user, Optional<String> nick, String bot) {
    return user.string("id")
        .filter(Snowflake::isValid)
        .map(id -> {
          String name =
              nick.or(() -> user.string("global_name"))
                  .or(() -> user.string("username"))
                  .map(DiscordPlace::plain)
                  .filter(text -> !text.isBlank())
                  .orElse(id);
          SenderKind kind =
              id.equals(bot)
                  ? SenderKind.SELF
                  : user.is("bot") || user.is("system") ? SenderKind.BOT : SenderKind.PERSON;
          return new Sender(Optional.of(new Identity(channel, id)), name, kind);
        });
  }

  /** The text of the message; that of the first message in it if it only forwards others. */
  private static String text(JsonValue.Obj message) {
    String own = message.string("content").orElse("");
    if (!own.isBlank()) {
      return plain(own);
    }
    return message.objects("message_snapshots").stream()
        .findFirst()
        .flatMap(snapshot -> snapshot.object("message").string("content"))
        .map(DiscordUpdateReader::plain)
        .orElse("");
  }

  /** Without NUL and halves of characters, and of bounded length. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .limit(MAX_TEXT)
        .filter(c -> c != 0 && Character.getType(c) != Character.SURROGATE)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }

  /** A reply that notifies the bot also names it in {@code mentions}: the text decides. */
  private static boolean mentions(JsonValue.Obj message, String text, Setting in) {
    boolean isNamed =
        message.objects("mentions").stream()
            .anyMatch(user -> user.string("id").filter(in.bot()::equals).isPresent());
    boolean isRoleNamed = message.texts("mention_roles").stream().anyMatch(in.roles()::contains);
    boolean inText =
        USER_MENTION.matcher(text).results().anyMatch(hit -> hit.group(1).equals(in.bot()));
    boolean roleInText =
        ROLE_MENTION.matcher(text).results().anyMatch(hit -> in.roles().contains(hit.group(1)));
    return (isNamed && inText) || (isRoleNamed && roleInText);
  }

  private static String bareText(String text, Setting in) {
    String withoutUser =
        USER_MENTION
            .matcher(text)
            .replaceAll(hit -> hit.group(1).equals(in.bot()) ? "" : quote(hit.group()));
    return ROLE_MENTION
        .matcher(withoutUser)
        .replaceAll(hit -> in.roles().contains(hit.group(1)) ? "" : quote(hit.group()))
        .strip();
  }

  private static String quote(String text) {
    return java.util.regex.Matcher.quoteReplacement(text);
  }

  private static Optional<QuotedMessage> replyTo(JsonValue.Obj message, String bot) {
    JsonValue.Obj reference = message.object("message_reference");
    boolean isForward = reference.number("type").orElse(0L) != 0;
    if (isForward) {
      return Optional.empty();
    }
    JsonValue.Obj quoted = message.object("referenced_message");
    JsonValue.Obj author = quoted.object("author");
    return reference
        .string("message_id")
        .filter(Snowflake::isValid)
        .map(id ->
            new QuotedMessage(
                id,
                author.string("id").filter(bot::equals).isPresent(),
                author
                    .string("global_name")
                    .or(() -> author.string("username"))
                    .map(DiscordPlace::plain),
                quoted.string("content").map(DiscordUpdateReader::plain)));
  }

  private static List<Attachment> attachments(JsonValue.Obj message) {
    return message.objects("attachments").stream()
        .limit(MAX_ATTACHMENTS)
        .flatMap(file -> attachment(file).stream())
        .toList();
  }

  private static Optional<Attachment> attachment(JsonValue.Obj file) {
    return file.string("url")
        .filter(url -> !url.isBlank() && url.length() <= MAX_REFERENCE)
        .filter(url -> url.chars().allMatch(c -> c > ' ' && c < 127))
        .map(url ->
            new Attachment(
                file.string("filename").map(DiscordPlace::plain).orElse("file"),
                file.string("content_type")
                    .map(DiscordPlace::plain)
                    .orElse("application/octet-stream"),
                Math.max(0, file.number("size").orElse(0L)),
                url,
                Optional.empty()));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The time of an edit as part of a key: the same edit has the same time, however written. */
  private static String plainKey(Optional<String> edited) {
    return edited.flatMap(DiscordUpdateReader::time).map(Instant::toString).orElse("");
  }
}
