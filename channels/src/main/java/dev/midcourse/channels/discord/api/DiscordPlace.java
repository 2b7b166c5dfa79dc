package dev.midcourse.channels.discord.api;

import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.json.JsonValue;
import java.util.Optional;
import java.util.Set;

/**
 * A channel of Discord as Midcourse sees it. A thread is a place in the chat of its parent.
 *
 * @param id the id of the channel or thread
 * @param chat the id of the chat: the parent of a thread, else the channel itself
 * @param guild empty for a direct message
 * @param type the type number of Discord
 * @param lastMessage the newest message, if Discord told it
 */
public record DiscordPlace(
    String id,
    String chat,
    Optional<String> guild,
    int type,
    Optional<String> name,
    Optional<String> lastMessage) {
  private static final int MAX_NAME = 200;
  private static final Set<Integer> THREADS = Set.of(10, 11, 12);
  private static final Set<Integer> FORUMS = Set.of(15, 16);
  private static final Set<Integer> WITH_THREADS = Set.of(0, 5, 15, 16);
  private static final Set<Integer> WITH_MESSAGES = Set.of(0, 1, 2, 5, 10, 11, 12, 13);

  /** Reads a channel object; empty if it has no valid id. */
  public static Optional<DiscordPlace> read(JsonValue.Obj channel, Optional<String> guild) {
    Optional<String> id = channel.string("id").filter(Snowflake::isValid);
    if (id.isEmpty()) {
      return Optional.empty();
    }
    int type = channel.number("type").filter(it -> it >= 0 && it < 1_000).orElse(0L).intValue();
    Optional<String> parent =
        THREADS.contains(type)
            ? channel.string("parent_id").filter(Snowflake::isValid)
            : Optional.empty();
    return Optional.of(
        new DiscordPlace(
            id.get(),
            parent.orElseGet(id::get),
            guild.or(() -> channel.string("guild_id")).filter(Snowflake::isValid),
            type,
            channel.string("name").map(DiscordPlace::plain).filter(text -> !text.isBlank()),
            channel.string("last_message_id").filter(Snowflake::isValid)));
  }

  public static DiscordPlace direct(String id) {
    return new DiscordPlace(id, id, Optional.empty(), 1, Optional.empty(), Optional.empty());
  }

  public Optional<String> thread() {
    return chat.equals(id) ? Optional.empty() : Optional.of(id);
  }

  boolean isThread() {
    return THREADS.contains(type);
  }

  boolean isForum() {
    return FORUMS.contains(type);
  }

  public boolean hasThreads() {
    return WITH_THREADS.contains(type);
  }

  public boolean hasMessages() {
    return WITH_MESSAGES.contains(type);
  }

  /**
   * The facts of the chat.
   *
   * @param parent the place of the chat, which differs from this one in a thread
   */
  public ChatFacts facts(Optional<DiscordPlace> parent) {
    Optional<String> shown = parent.map(DiscordPlace::name).orElse(name).map(text -> "#" + text);
    return guild.isEmpty()
        ? new ChatFacts(ChatKind.DIRECT, false, Optional.empty())
        : new ChatFacts(ChatKind.GROUP, isThread() || hasThreads(), shown);
  }

  /** Text of the platform without control characters, and of bounded length. */
  public static String plain(String text) {
    String bounded = text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
    StringBuilder plain = new StringBuilder();
    bounded
        .codePoints()
        .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }
}
