package dev.midcourse.engine.conversation.context;

import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.RunService;
import dev.midcourse.engine.SteerService;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.conversation.attachment.AttachmentFetcher;
import dev.midcourse.engine.conversation.loop.ChatLoops;
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
 * @param loops carries out orders about autopilot loops
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
    AttachmentFetcher attachments,
    ChatLoops loops) {
  private static final GroupName GROUP = GroupName.of("chat");
  private static final int ID_LENGTH = 10;
  private static final int MAX_ORIGIN = 64;

  public Ledger ledger() {
    return engine.ledger();
  }

  public Ids ids() {
    return engine.ids();
  }

  /** A new id for a person, chat, wiring or conversation. */
  public String newId() {
    return ids().token(ID_LENGTH);
  }

  public Instant now() {
    return engine.clock().instant();
  }

  public ChatTexts texts() {
    return settings.texts();
  }

  /** The time zone in which the agent talks to this sender. */
  public ZoneId zoneOf(ChatReader chats, Sender sender) {
    return sender.identity().flatMap(chats::personOf).flatMap(Person::zone).orElse(settings.zone());
  }

  /** The author of what a person in a chat asks for: the stable id of the account. */
  public static Author author(Sender sender) {
    String identity = sender.identity().map(Object::toString).orElse("anonymous");
    String origin = identity.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9:._-]", "-");
    return new Author(GROUP, origin.substring(0, Math.min(origin.length(), MAX_ORIGIN)));
  }
}
