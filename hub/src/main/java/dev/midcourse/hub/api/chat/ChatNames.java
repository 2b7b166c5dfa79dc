package dev.midcourse.hub.api.chat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Suggestion;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.ledger.chat.ChatReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds what a request names. A person: id, account or name; a chat: id, {@code CHANNEL:ID} or
 * name; a message: number, id of the platform or {@code CHANNEL:CHAT:ID}. Refuses what is not
 * there, with the name that was probably meant, and a name of several.
 */
final class ChatNames {
  private static final int MAX_NAMED = 8;

  private ChatNames() {}

  static Person person(ChatReader chats, String text) {
    return parsed(PersonId::of, text)
        .flatMap(chats::person)
        .or(() -> parsed(Identity::of, text).flatMap(chats::personOf))
        .or(() ->
            single(
                chats.people().stream().filter(person -> same(person.name(), text)).toList(),
                "person_id",
                "several people are named " + WireNames.shown(text),
                person -> person.id().value()))
        .orElseThrow(() ->
            missing(
                "person",
                text,
                chats.people().stream()
                    .flatMap(person -> Stream.of(person.id().value(), person.name()))
                    .toList()));
  }

  static Chat chat(ChatReader chats, String text) {
    return parsed(ChatId::of, text)
        .flatMap(chats::chat)
        .or(() -> byPlatform(chats, text))
        .or(() ->
            single(
                chats.chats().stream().filter(chat -> same(chat.title(), text)).toList(),
                "chat_id",
                "several chats are named " + WireNames.shown(text),
                chat -> chat.id().value()))
        .orElseThrow(() ->
            missing(
                "chat",
                text,
                chats.chats().stream()
                    .flatMap(chat -> Stream.of(chat.id().value(), chat.title()))
                    .toList()));
  }

  private static Optional<Chat> byPlatform(ChatReader chats, String text) {
    int colon = text.indexOf(':');
    return colon < 1
        ? Optional.empty()
        : parsed(ChannelName::of, text.substring(0, colon))
            .flatMap(channel -> chats.chat(channel, text.substring(colon + 1)));
  }

  static Wiring wiring(ChatReader chats, String text) {
    return parsed(WiringId::of, text)
        .flatMap(chats::wiring)
        .orElseThrow(() ->
            missing(
                "wiring",
                text,
                chats.wirings().stream().map(wiring -> wiring.id().value()).toList()));
  }

  static OutboundMessage outbound(ChatReader chats, String text) {
    return parsed(OutboundId::of, text)
        .flatMap(chats::outbound)
        .orElseThrow(() -> missing("outbound", text, List.of()));
  }

  static RoutedMessage message(ChatReader chats, String text) {
    return number(text)
        .flatMap(chats::message)
        .or(() ->
            single(
                chats.messagesNamed(text, MAX_NAMED + 1),
                "message",
                "several messages have the id " + WireNames.shown(text) + "; use a number",
                message -> Long.toString(message.number())))
        .or(() -> byReference(chats, text))
        .orElseThrow(() -> missing("message", text, List.of()));
  }

  private static Optional<Long> number(String text) {
    return text.matches("[0-9]{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  /** Tries each colon as the one between chat and message, because ids may contain colons. */
  private static Optional<RoutedMessage> byReference(ChatReader chats, String text) {
    int first = text.indexOf(':');
    Optional<ChannelName> channel =
        first < 1 ? Optional.empty() : parsed(ChannelName::of, text.substring(0, first));
    for (int at = text.indexOf(':', first + 1);
        channel.isPresent() && at > 0;
        at = text.indexOf(':', at + 1)) {
      String chat = text.substring(first + 1, at);
      String id = text.substring(at + 1);
      Optional<RoutedMessage> found =
          parsed(part -> new MessageRef(channel.get(), chat, part), id).flatMap(chats::message);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static boolean same(String name, String text) {
    return name.toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT));
  }

  private static <T> Optional<T> parsed(Function<String, T> parser, String text) {
    try {
      return Optional.of(parser.apply(text));
    } catch (RefusedException notOfThisForm) {
      return Optional.empty();
    }
  }

  private static <T> Optional<T> single(
      List<T> found, String field, String several, Function<T, String> name) {
    if (found.size() < 2) {
      return found.stream().findFirst();
    }
    String names = found.stream().limit(MAX_NAMED).map(name).collect(Collectors.joining(", "));
    throw Problem.invalid(field, "an id that only one has", several + ": " + names).refused();
  }

  private static RefusedException missing(String what, String text, List<String> known) {
    String hint = Suggestion.to(text, known).map(near -> "; did you mean " + near + "?").orElse("");
    String field = what.equals("message") ? what : what + "_id";
    return Problem.of(
            Code.NOT_FOUND,
            field,
            "an existing one",
            (what.equals("outbound") ? "message" : what)
                + " "
                + WireNames.shown(text)
                + " not found"
                + hint)
        .refused();
  }
}
