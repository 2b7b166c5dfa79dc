package dev.midcourse.proof.crash.chat;

import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The channels, people and chats of a drill. */
final class DrillChats {
  static final AgentName AGENT = AgentName.of("rehearsal");
  static final String SECRET = "the secret of the drill";
  static final String OWNER = "own";
  static final String OWNER_CHAT = "dm-own";

  private DrillChats() {}

  /** The two kinds of platforms. */
  enum DrillChannel {
    /** Carries out a request once, however often it gets the same id. */
    KEYED,

    /** Carries out every request, and has neither edits nor reactions. */
    PLAIN;

    Set<ChannelFeature> features() {
      return switch (this) {
        case KEYED ->
            EnumSet.of(
                ChannelFeature.IDEMPOTENT_SENDS,
                ChannelFeature.EDITS,
                ChannelFeature.REACTIONS,
                ChannelFeature.BUTTONS);
        case PLAIN -> Set.of();
      };
    }

    ChannelName channel() {
      return ChannelName.of(word());
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The chats in which people write. */
  enum DrillChat {
    STEERED(DrillChannel.KEYED, ChatKind.DIRECT, Duration.ZERO),
    UNKEYED(DrillChannel.PLAIN, ChatKind.DIRECT, Duration.ZERO),
    DEBOUNCED(DrillChannel.KEYED, ChatKind.DIRECT, Duration.ofMillis(250)),

    /** Every message in it is the first of a stranger. */
    STRANGERS(DrillChannel.KEYED, ChatKind.GROUP, Duration.ZERO);

    private final DrillChannel channel;
    private final ChatKind kind;
    private final Duration debounce;

    DrillChat(DrillChannel channel, ChatKind kind, Duration debounce) {
      this.channel = channel;
      this.kind = kind;
      this.debounce = debounce;
    }

    DrillChannel channel() {
      return channel;
    }

    ChatKind kind() {
      return kind;
    }

    /** Each chat has its worker, because a worker has one run at a time. */
    WorkerName worker() {
      return WorkerName.of(platformId());
    }

    String platformId() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The member who writes in a direct chat. */
    String member() {
      return "member-" + platformId();
    }
  }

  static void store(Ledger ledger) {
    Instant now = Instant.now();
    ledger.write(tx -> {
      ChatWriter chats = tx.chats();
      Identity owner = new Identity(DrillChannel.KEYED.channel(), OWNER);
      putPerson(chats, owner, PersonRole.OWNER, Optional.empty(), now);
      chats.putDirectChat(owner, OWNER_CHAT);
      for (DrillChat chat : DrillChat.values()) {
        putChat(chats, chat, now);
        Identity member = new Identity(chat.channel().channel(), chat.member());
        putPerson(chats, member, PersonRole.MEMBER, Optional.of(chat.worker()), now);
      }
      return now;
    });
  }

  private static void putPerson(
      ChatWriter chats,
      Identity identity,
      PersonRole role,
      Optional<WorkerName> worker,
      Instant now) {
    PersonId person = PersonId.of(identity.handle());
    chats.put(new Person(person, identity.handle(), Optional.empty(), now));
    chats.put(new LinkedIdentity(identity, person, identity.handle(), now));
    chats.put(new RoleGrant(person, role, worker, Optional.empty(), now));
  }

  private static void putChat(ChatWriter chats, DrillChat drilled, Instant now) {
    Chat chat =
        new Chat(
            ChatId.of(drilled.platformId()),
            drilled.channel().channel(),
            drilled.platformId(),
            Optional.empty(),
            drilled.kind(),
            false,
            UnknownSenderPolicy.REQUEST_APPROVAL,
            now);
    chats.put(chat);
    Wiring usual =
        Wiring.withDefaults(WiringId.of("w-" + drilled.platformId()), chat, drilled.worker(), now);
    chats.put(
        new Wiring(
            usual.id(),
            usual.chat(),
            usual.worker(),
            usual.engagement(),
            usual.senderScope(),
            usual.ignored(),
            usual.sessionMode(),
            usual.priority(),
            usual.onLiveRun(),
            drilled.debounce,
            now));
  }
}
