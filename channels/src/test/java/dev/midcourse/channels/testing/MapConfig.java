package dev.midcourse.channels.testing;

import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Settings of a channel from a map; a list is written with spaces. */
public record MapConfig(ChannelName name, Map<String, String> values) implements ChannelConfig {
  public static MapConfig of(String name, Map<String, String> values) {
    return new MapConfig(ChannelName.of(name), values);
  }

  @Override
  public Optional<String> text(String key) {
    return Optional.ofNullable(values.get(key));
  }

  @Override
  public <T> Optional<T> text(String key, Function<String, T> rule) {
    return text(key).map(rule);
  }

  @Override
  public <E extends Enum<E>> Optional<E> oneOf(String key, Class<E> type) {
    return text(key).map(value -> WireNames.parse(type, key, value));
  }

  @Override
  public Optional<URI> url(String key) {
    return text(key).map(URI::create);
  }

  @Override
  public Optional<Integer> number(String key, int from, int to) {
    return text(key).map(Integer::valueOf);
  }

  @Override
  public Optional<Boolean> flag(String key) {
    return text(key).map(Boolean::valueOf);
  }

  @Override
  public Optional<Duration> duration(String key) {
    return text(key).map(Duration::parse);
  }

  @Override
  public Optional<List<String>> texts(String key) {
    return text(key).map(value -> List.of(value.split(" ", -1)));
  }

  @Override
  public Optional<ChannelSecret> secret(String key) {
    return text(key).map(ChannelSecret::new);
  }

  @Override
  public String requiredText(String key) {
    return text(key).orElseThrow(() -> missing(key));
  }

  @Override
  public ChannelSecret requiredSecret(String key) {
    return secret(key).orElseThrow(() -> missing(key));
  }

  private static RuntimeException missing(String key) {
    return Problem.invalid(key, "a value", key + " is missing").refused();
  }
}
