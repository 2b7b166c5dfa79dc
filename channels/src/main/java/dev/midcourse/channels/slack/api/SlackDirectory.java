package dev.midcourse.channels.slack.api;

import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Asks Slack for names and remembers them. A name that cannot be had within a second is left out
 * for some minutes, so that messages never wait long for it.
 */
public final class SlackDirectory implements SlackNames {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration KNOWN_FOR = Duration.ofHours(12);
  private static final Duration UNKNOWN_FOR = Duration.ofMinutes(5);
  private static final int MAX_ENTRIES = 5_000;

  private final SlackClient client;
  private final InstantSource clock;
  private final Map<String, KnownName> entries; // guarded by itself

  public SlackDirectory(SlackClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, KnownName> eldest) {
            return size() > MAX_ENTRIES;
          }
        };
  }

  private record KnownName(Optional<String> name, Instant until) {}

  @Override
  public Optional<String> user(String id) {
    return name("users.info", "user", id);
  }

  @Override
  public Optional<String> chat(String id) {
    return name("conversations.info", "channel", id);
  }

  @Override
  public Optional<String> knownUser(String id) {
    synchronized (entries) {
      return Optional.ofNullable(entries.get(id)).flatMap(KnownName::name);
    }
  }

  private Optional<String> name(String method, String kind, String id) {
    Instant now = clock.instant();
    synchronized (entries) {
      KnownName entry = entries.get(id);
      if (entry != null && entry.until().isAfter(now)) {
        return entry.name();
      }
    }
    Optional<String> name = ask(method, kind, id);
    synchronized (entries) {
      entries.put(id, new KnownName(name, now.plus(name.isPresent() ? KNOWN_FOR : UNKNOWN_FOR)));
    }
    return name;
  }

  private Optional<String> ask(String method, String kind, String id) {
    try {
      SlackAnswer answer = client.call(method, Map.of(kind, id), client.botToken(), TIMEOUT);
      return answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _)
          ? name(body.object(kind))
          : Optional.empty();
    } catch (PlatformException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Optional<String> name(JsonValue.Obj object) {
    JsonValue.Obj profile = object.object("profile");
    return profile
        .string("display_name")
        .flatMap(SlackIds::name)
        .or(() -> profile.string("real_name").flatMap(SlackIds::name))
        .or(() -> object.string("name").flatMap(SlackIds::name));
  }
}
