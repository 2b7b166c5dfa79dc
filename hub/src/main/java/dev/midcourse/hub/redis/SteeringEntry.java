package dev.midcourse.hub.redis;

import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.route.StopWords;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An entry of a list: {@code {"text", "sender", "timestamp", "is_abort"}}, and an {@code id} of the
 * program's own if it wants one. Other fields are ignored. An entry with {@code is_abort}, and an
 * entry whose whole text is a stop word, is a stop.
 *
 * @param sender the name that the program claims for the author; it gives no right
 * @param id the program's own id of the entry
 */
record SteeringEntry(SteerRequest request, Optional<String> sender, Optional<String> id) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,40}");
  private static final Pattern NOT_IN_ORIGIN = Pattern.compile("[^a-z0-9._-]+");
  private static final String ID_RULE = "1 to 40 letters, digits, '.', '_' or '-', without '..'";
  private static final int MAX_SENDER = 50;
  private static final String ORIGIN = "redis";

  /** The key of a steer begins with this and the name of its session. */
  private static final String KEY_PREFIX = "redis:";

  /** Marks a key that contains the program's own id. */
  private static final String OWN_ID = "#";

  /**
   * Reads an entry.
   *
   * @throws dev.midcourse.core.RefusedException if the entry breaks a rule
   */
  static SteeringEntry parse(byte[] bytes, StopWords stopWords) {
    JsonValue.Obj object = object(text(bytes));
    ObjectReader reader = new ObjectReader(object);
    boolean abort = reader.flag("is_abort");
    Optional<String> text = reader.optional("text");
    if (text.isEmpty() && !abort && reader.isValid("text")) {
      reader.report("text", "required", "text is missing");
    }
    Optional<String> sender = reader.optional("sender");
    Optional<String> id = reader.optional("id", SteeringEntry::checkedId);
    reader
        .optionalValue("timestamp")
        .filter(it -> !(it instanceof JsonValue.Num) && !(it instanceof JsonValue.Str))
        .ifPresent(_ -> reader.report("timestamp", "a number of seconds, or a string"));
    reader.throwProblems();
    String said = text.filter(it -> !(abort && it.isBlank())).orElse("stop");
    SteerRequest request = SteerRequest.steer(SteerText.of(said));
    boolean stops = abort || stopWords.matches(said);
    return new SteeringEntry(
        stops ? request.withMode(SteerMode.STOP) : request, sender.map(SteeringEntry::named), id);
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw Problem.invalid("entry", "UTF-8", "the entry is not UTF-8").refused();
    }
  }

  private static JsonValue.Obj object(String text) {
    try {
      return JsonReader.readObject(text);
    } catch (JsonException e) {
      throw Problem.invalid(
              "entry", "a JSON object", "the entry is not a JSON object: " + e.getMessage())
          .refused();
    }
  }

  private static String checkedId(String text) {
    if (!ID.matcher(text).matches() || text.contains("..")) {
      throw Problem.invalid("id", ID_RULE, "id must be " + ID_RULE).refused();
    }
    return text;
  }

  /** The name in the form that the origin of an author may have. */
  private static String named(String sender) {
    String folded = sender.substring(0, Math.min(sender.length(), MAX_SENDER));
    return NOT_IN_ORIGIN.matcher(folded.toLowerCase(Locale.ROOT)).replaceAll("-");
  }

  /** The interface, and the claimed name of the sender if there is one. */
  String origin() {
    return sender
        .filter(name -> !name.isBlank())
        .map(name -> ORIGIN + ":" + name)
        .map(it -> it.substring(0, Math.min(it.length(), 64)))
        .orElse(ORIGIN);
  }

  /**
   * The request with its idempotency key: the program's own id, or the id that the entry got when
   * it was taken from the list. So an entry that is stored again after a crash has one effect.
   */
  SteerRequest keyed(SessionName session, String taken) {
    String last = id.map(own -> OWN_ID + own).orElse(taken);
    return request.withKey(IdempotencyKey.of(KEY_PREFIX + session.value() + ":" + last));
  }

  /** The session in the key of a steer, if the steer came from Redis. */
  static Optional<SessionName> sessionOf(IdempotencyKey key) {
    int end = key.value().lastIndexOf(':');
    return key.value().startsWith(KEY_PREFIX) && end > KEY_PREFIX.length()
        ? Optional.of(new SessionName(key.value().substring(KEY_PREFIX.length(), end)))
        : Optional.empty();
  }

  /** The program's own id in the key of a steer from Redis. */
  static Optional<String> idOf(IdempotencyKey key) {
    int end = key.value().lastIndexOf(':' + OWN_ID);
    return end < 0 ? Optional.empty() : Optional.of(key.value().substring(end + 2));
  }

  /** Whether an author of this origin used Redis. */
  static boolean isOrigin(String origin) {
    return origin.equals(ORIGIN) || origin.startsWith(ORIGIN + ":");
  }
}
