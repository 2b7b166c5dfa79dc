package dev.midcourse.hub.api.chat;

import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.IgnoredMessagePolicy;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.SenderScope;
import dev.midcourse.core.chat.SessionMode;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.id.WorkerName;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** The bodies and queries of the routes about people and chats. */
public final class ChatRequests {
  static final int MAX_LIMIT = 500;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,80}");
  private static final Duration MAX_DEBOUNCE = Duration.ofMinutes(5);

  private ChatRequests() {}

  private static void named(String name) {
    if (!NAME.matcher(name).matches() || name.isBlank()) {
      throw Problem.invalid(
              "name", "1 to 80 printable characters", "name must be 1 to 80 printable characters")
          .refused();
    }
  }

  private static int limited(Optional<Integer> limit, int usual) {
    int wanted = limit.orElse(usual);
    if (wanted < 1 || wanted > MAX_LIMIT) {
      throw Problem.invalid("limit", "1 to 500", "limit must be 1 to 500").refused();
    }
    return wanted;
  }

  record NewPerson(
      @FieldDoc("the name for display; it gives no right") String name,
      @FieldDoc("an IANA time zone; without it that of the hub") Optional<String> zone) {
    NewPerson {
      named(name);
    }
  }

  record PersonChange(
      @FieldDoc("another name") Optional<String> name,
      @FieldDoc("an IANA time zone; an empty text for that of the hub") Optional<String> zone) {
    PersonChange {
      name.ifPresent(ChatRequests::named);
    }
  }

  record Pairing(@FieldDoc("the name of the owner; default: Owner") Optional<String> name) {
    Pairing {
      name.ifPresent(ChatRequests::named);
    }
  }

  record Link(
      @FieldDoc("an account as CHANNEL:HANDLE, such as telegram:42") String identity,
      @FieldDoc("the name of the account for display") Optional<String> displayName) {}

  record Unlink(@FieldDoc("an account of the person, such as telegram:42") String identity) {}

  record RoleChange(
      @FieldDoc("which role") PersonRole role,
      @FieldDoc("for this worker only; an owner has all, a member has one")
          Optional<WorkerName> worker) {}

  record ChatChange(
      @FieldDoc("a name for display; an empty text for the one of the platform")
          Optional<String> name,
      @FieldDoc("what happens to messages of people who may not talk here")
          Optional<UnknownSenderPolicy> unknownSenderPolicy) {
    ChatChange {
      name.filter(text -> !text.isEmpty()).ifPresent(ChatRequests::named);
    }
  }

  record NewWiring(
      @FieldDoc("the chat: id, name or CHANNEL:ID") String chat,
      @FieldDoc("the worker that takes its messages") WorkerName worker,
      @FieldDoc("when the worker engages; default by the kind of chat")
          Optional<EngageMode> engageMode,
      @FieldDoc("a regular expression in RE2 syntax, for pattern; . is always")
          Optional<EngagePattern> engagePattern,
      @FieldDoc("whose messages count; default all") Optional<SenderScope> senderScope,
      @FieldDoc("what becomes of other messages; default drop")
          Optional<IgnoredMessagePolicy> ignoredMessagePolicy,
      @FieldDoc("which messages share a conversation") Optional<SessionMode> sessionMode,
      @FieldDoc("of several wirings of a chat the highest comes first; default 0")
          Optional<Integer> priority,
      @FieldDoc("what a reply to a live run means; default steer")
          Optional<LiveRunPolicy> onLiveRun,
      @FieldDoc("how long a message waits for further ones before it starts a run, up to 5m")
          Optional<Duration> debounce) {
    WiringChange change() {
      return new WiringChange(
          engageMode,
          engagePattern,
          senderScope,
          ignoredMessagePolicy,
          sessionMode,
          priority,
          onLiveRun,
          debounce);
    }
  }

  record WiringChange(
      @FieldDoc("when the worker engages") Optional<EngageMode> engageMode,
      @FieldDoc("a regular expression in RE2 syntax, for pattern; . is always")
          Optional<EngagePattern> engagePattern,
      @FieldDoc("whose messages count") Optional<SenderScope> senderScope,
      @FieldDoc("what becomes of other messages")
          Optional<IgnoredMessagePolicy> ignoredMessagePolicy,
      @FieldDoc("which messages share a conversation") Optional<SessionMode> sessionMode,
      @FieldDoc("of several wirings of a chat the highest comes first") Optional<Integer> priority,
      @FieldDoc("what a reply to a live run means") Optional<LiveRunPolicy> onLiveRun,
      @FieldDoc("how long a message waits for further ones before it starts a run, up to 5m")
          Optional<Duration> debounce) {
    WiringChange {
      if (debounce.filter(time -> time.compareTo(MAX_DEBOUNCE) > 0).isPresent()) {
        throw Problem.invalid("debounce", "at most 5m", "debounce must be at most 5m").refused();
      }
    }
  }

  record MessageQuery(
      @FieldDoc("only this chat's: id, name or CHANNEL:ID") Optional<String> chat,
      @FieldDoc("only those before this number: the next of the page before") Optional<Long> before,
      @FieldDoc("maximum number, up to 500; default 50") Optional<Integer> limit) {
    int most() {
      return limited(limit, 50);
    }
  }

  record Newest(@FieldDoc("maximum number, up to 500; default 100") Optional<Integer> limit) {
    int most() {
      return limited(limit, 100);
    }
  }

  record MessageName(
      @FieldDoc("its number, the id of its platform, or CHANNEL:CHAT:ID") String message) {}

  record OutboxQuery(
      @FieldDoc("only these states, with commas between; default: failed,unknown")
          Optional<String> state,
      @FieldDoc("maximum number, up to 500; default 100") Optional<Integer> limit) {
    int most() {
      return limited(limit, 100);
    }
  }

  /** A decision about a pending approval. */
  enum Verdict {
    ALLOW,
    DENY,
    WIRE,
    CREATE
  }

  record Decision(
      @FieldDoc("a sender: allow or deny; a chat: wire, create or deny") Verdict decision,
      @FieldDoc("for wire: the worker; for create: the name of the new one")
          Optional<WorkerName> worker) {}
}
