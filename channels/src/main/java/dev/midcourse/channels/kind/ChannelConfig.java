package dev.midcourse.channels.kind;

import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The settings of one channel. A method refuses a value of the wrong type with file, line and rule.
 * Keys that a kind has not read are refused after {@link ChannelKind#open} has returned.
 */
public interface ChannelConfig {
  /** The name that the user gave to the channel. */
  ChannelName name();

  Optional<String> text(String key);

  /** Returns the text as parsed by a rule; a refusal of the rule gets file and line. */
  <T> Optional<T> text(String key, Function<String, T> rule);

  <E extends Enum<E>> Optional<E> oneOf(String key, Class<E> type);

  /** Returns the URL: https, or http to this machine. */
  Optional<URI> url(String key);

  Optional<Integer> number(String key, int from, int to);

  Optional<Boolean> flag(String key);

  Optional<Duration> duration(String key);

  Optional<List<String>> texts(String key);

  /**
   * Returns a secret from the file that {@code KEY_file} names, or from the output of the command
   * {@code KEY_command}.
   */
  Optional<ChannelSecret> secret(String key);

  /** Like {@link #text(String)}, and refuses a channel without it. */
  String requiredText(String key);

  /** Like {@link #secret}, and refuses a channel without it. */
  ChannelSecret requiredSecret(String key);
}
