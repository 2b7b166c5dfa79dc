package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.Person;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.RunService;
import dev.midcourse.engine.SteerService;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.conversation.attachment.AttachmentFetcher;
import dev.midcourse.engine.outbox.OutboxSignal;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.chat.ChatReader;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;

/**
 * The dependencies that the parts of conversations share. Every component is safe for all threads.
 *
 * @param attachments fetches files that people send
 * @param links makes one-time links to the page of a run
 */
public record ConversationContext(
    EngineContext engine,
    RunService runs,
    SteerService steering,
    ConversationWorkers workers,
    ConversationSettings settings,
    Timers timers,
    OutboxSignal outbox,
    RunLinks links,
    AttachmentFetcher attachments) {
  private static final GroupName GROUP = GroupName.of("chat");
  private static final int ID_LENGTH = 10;
  private static final int MAX_ORIGIN = 64;

  Ledger ledger() {
    return engine.ledger();
  }

  Ids ids() {
    return engine.ids();
  }

  /** A new id for a person, chat, wiring or conversation. */
  String newId() {
    return ids().token(ID_LENGTH);
  }

  Instant now() {
    return engine.clock().instant();
  }

  ChatTexts texts() {
    return settings.texts();
  }

  /** The time zone in which the agent talks to this sender. */
  ZoneId zoneOf(ChatReader chats, Sender sender) {
    return sender.identity().flatMap(chats::personOf).flatMap(Person::zone).orElse(settings.zone());
  }

  /** The author of what a person in a chat asks for: the stable id of the account. */
  static Author author(Sender sender) {
    String identity = sender.identity().map(Object::toString).orElse("anonymous");
    String origin = identity.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9:._-]", "-");
    return new Author(GROUP, origin.substring(0, Math.min(origin.length(), MAX_ORIGIN)));
  }
}
