package dev.midcourse.engine.conversation.tools;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.text.VisibleText;
import dev.midcourse.ledger.chat.ChatReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The chats to which the agent of a worker may send: those that are wired to the worker, and no
 * others.
 */
record Destinations(ChatReader chats, WorkerName worker) {
  private static final int MAX_LISTED = 20;

  /**
   * Finds a chat by its id or its name. The chat of the conversation keeps the thread; another chat
   * gets the message outside of all threads.
   *
   * @throws RefusedException with the list of the chats if there is not exactly one
   */
  ChatAddress find(String named, ChatAddress current) {
    List<Chat> allowed = wired();
    List<Chat> byId =
        allowed.stream().filter(chat -> chat.id().value().equals(named.strip())).toList();
    List<Chat> found =
        byId.isEmpty()
            ? allowed.stream().filter(chat -> folded(chat.title()).equals(folded(named))).toList()
            : byId;
    if (found.size() != 1) {
      throw Problem.of(
              found.isEmpty() ? Code.NOT_FOUND : Code.INVALID,
              "to",
              "a chat of this worker: " + list(allowed),
              found.isEmpty()
                  ? "there is no such chat for this worker"
                  : "several chats have this name; use the id")
          .refused();
    }
    Chat chat = found.getFirst();
    boolean same =
        chat.channel().equals(current.channel()) && chat.platformId().equals(current.chat());
    return same ? current : new ChatAddress(chat.channel(), chat.platformId(), Optional.empty());
  }

  private List<Chat> wired() {
    return chats.wirings().stream()
        .filter(wiring -> wiring.worker().equals(worker))
        .map(Wiring::chat)
        .distinct()
        .flatMap(id -> chats.chat(id).stream())
        .toList();
  }

  /** Whether the chat is wired to the worker. */
  boolean has(Chat chat) {
    return chats.wirings(chat.id()).stream().anyMatch(wiring -> wiring.worker().equals(worker));
  }

  /** The name of the chat of an address. */
  String title(ChatAddress to) {
    return chats
        .chat(to.channel(), to.chat())
        .map(Chat::title)
        .orElseGet(() -> to.channel() + ":" + to.chat());
  }

  private static String folded(String name) {
    return name.strip().toLowerCase(Locale.ROOT);
  }

  private static String list(List<Chat> allowed) {
    String names =
        allowed.stream()
            .limit(MAX_LISTED)
            .map(chat -> VisibleText.prose(chat.title()) + " (" + chat.id() + ")")
            .collect(Collectors.joining(", "));
    return allowed.size() > MAX_LISTED
        ? names + " and " + (allowed.size() - MAX_LISTED) + " more"
        : names;
  }
}
