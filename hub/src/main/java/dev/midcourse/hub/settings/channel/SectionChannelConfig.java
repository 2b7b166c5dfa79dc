package dev.midcourse.hub.settings.channel;

import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The settings of a channel from its table in a settings file. */
final class SectionChannelConfig implements ChannelConfig {
  private static final String KIND = "kind";

  private final ChannelName name;
  private final ConfigSection section;
  private final SecretSources secrets;

  SectionChannelConfig(ChannelName name, ConfigSection section, Path data) {
    this.name = name;
    this.section = section;
    this.secrets = new SecretSources(data);
    section.text(KIND);
  }

  @Override
  public ChannelName name() {
    return name;
  }

  @Override
  public Optional<String> text(String key) {
    return section.text(key);
  }

  @Override
  public <T> Optional<T> text(String key, Function<String, T> rule) {
    return section.text(key, rule);
  }

  @Override
  public <E extends Enum<E>> Optional<E> oneOf(String key, Class<E> type) {
    return section.oneOf(key, type);
  }

  @Override
  public Optional<URI> url(String key) {
    return section.text(key, text -> SafeUrl.of(key, text));
  }

  @Override
  public Optional<Integer> number(String key, int from, int to) {
    return section.number(key, from, to);
  }

  @Override
  public Optional<Boolean> flag(String key) {
    return section.flag(key);
  }

  @Override
  public Optional<Duration> duration(String key) {
    return section.duration(key);
  }

  @Override
  public Optional<List<String>> texts(String key) {
    return section.texts(key);
  }

  @Override
  public Optional<ChannelSecret> secret(String key) {
    String fileKey = key + "_file";
    String commandKey = key + "_command";
    if (section.text(key).isPresent()) {
      throw section.refusal(
          key,
          fileKey + " or " + commandKey,
          key
              + " must not be in the settings file: put it into a file of mode 0600 and name it"
              + " with "
              + fileKey
              + ", or give a command with "
              + commandKey);
    }
    Optional<ChannelSecret> ofFile = section.text(fileKey, secrets::ofFile);
    Optional<ChannelSecret> ofCommand = section.text(commandKey, secrets::ofCommand);
    if (ofFile.isPresent() && ofCommand.isPresent()) {
      throw missing(fileKey, "one of " + fileKey + " and " + commandKey + ", not both");
    }
    return ofFile.or(() -> ofCommand);
  }

  @Override
  public String requiredText(String key) {
    return text(key).filter(text -> !text.isBlank()).orElseThrow(() -> missing(key, "a string"));
  }

  @Override
  public ChannelSecret requiredSecret(String key) {
    return secret(key)
        .orElseThrow(() -> missing(key + "_file", key + "_file or " + key + "_command"));
  }

  private RefusedException missing(String key, String rule) {
    return section.refusal(key, rule, "the channel " + name + " needs " + key + ": " + rule);
  }
}
