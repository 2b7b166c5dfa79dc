package dev.midcourse.hub.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.hub.settings.channel.ChannelsSection;
import dev.midcourse.hub.settings.channel.ConfiguredChannel;
import dev.midcourse.hub.settings.toml.ConfigFile;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The channels that {@code midcourse channel} adds, in a file of their own beside {@code
 * midcourse.toml}, which belongs to people. Secrets are in files of mode 0600 below {@code
 * secrets}.
 */
public final class ManagedChannels {
  public static final String FILE = "channels.toml";

  private static final String SECRETS = "secrets";
  private static final String HEADER =
      "# Written by `midcourse channel`. Other settings are in " + SettingsFile.NAME + ".\n";

  /** A key that can be a part of a file name. */
  private static final Pattern KEY = Pattern.compile("[a-z0-9_]+");

  private final Path data;

  public ManagedChannels(Path data) {
    this.data = data;
  }

  /** Returns all channels of the file. */
  public List<ConfiguredChannel> read() {
    ConfigSection all = new ConfigFile(file()).read();
    ConfigSection channels = all.section("channels");
    all.noMore();
    return ChannelsSection.readManaged(channels, data);
  }

  /**
   * Writes the secrets into files and returns the channel as it would be in the file, which is not
   * changed.
   *
   * @param settings the values as texts, by key
   * @param secrets by key
   */
  public ConfiguredChannel prepare(
      ChannelName name,
      ChannelKind kind,
      Map<String, String> settings,
      Map<String, String> secrets) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("kind", literal(ChannelSetting.Type.TEXT, "kind", kind.name()));
    Map<String, ChannelSetting> known =
        kind.settings().stream().collect(Collectors.toMap(ChannelSetting::key, s -> s));
    settings.forEach((key, value) -> lines.put(key, literal(typeOf(known, key), key, value)));
    secrets.forEach((key, value) -> {
      if (typeOf(known, key) != ChannelSetting.Type.SECRET) {
        throw Problem.invalid(key, "a setting that is a secret", key + " is no secret").refused();
      }
      lines.put(key + "_file", quoted(writeSecret(name, key, value).toString()));
    });
    try {
      Path draft = Files.createTempFile(data, "channel", ".toml");
      try {
        Files.writeString(draft, table(name, lines));
        ConfigSection channels = new ConfigFile(draft, true).read().section("channels");
        return ChannelsSection.readManaged(channels, data).getFirst();
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Writes the channel into the file, in place of one of the same name. */
  public void put(ConfiguredChannel channel) {
    Map<String, String> tables = tables();
    tables.put(channel.name().value(), channel.section().toToml());
    write(tables);
  }

  /** Removes the channel and its secrets. */
  public void remove(ChannelName name) {
    Map<String, String> tables = tables();
    tables.remove(name.value());
    write(tables);
    removeSecrets(name);
  }

  /** Removes these secrets of a channel that was not added; files of people stay. */
  public void removeSecrets(ChannelName name, Set<String> keys) {
    try {
      for (String key : keys) {
        if (KEY.matcher(key).matches()) {
          Files.deleteIfExists(data.resolve(SECRETS).resolve(name + "." + key));
        }
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private void removeSecrets(ChannelName name) {
    Path folder = data.resolve(SECRETS);
    try (var files = Files.exists(folder) ? Files.list(folder) : Stream.<Path>empty()) {
      for (Path file : files.toList()) {
        if (String.valueOf(file.getFileName()).startsWith(name + ".")) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private Map<String, String> tables() {
    return read().stream()
        .collect(
            Collectors.toMap(
                channel -> channel.name().value(),
                channel -> channel.section().toToml(),
                (first, _) -> first,
                LinkedHashMap::new));
  }

  private void write(Map<String, String> tables) {
    StringBuilder text = new StringBuilder(HEADER);
    tables.forEach(
        (name, table) -> text.append("\n[channels.").append(name).append("]\n").append(table));
    try {
      Path next = data.resolve(FILE + ".new");
      Files.writeString(next, text, UTF_8);
      Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static String table(ChannelName name, Map<String, String> lines) {
    return lines.entrySet().stream()
        .map(line -> line.getKey() + " = " + line.getValue() + "\n")
        .collect(Collectors.joining("", "[channels." + name + "]\n", ""));
  }

  /** A key with the ending {@code _command} names a command that prints the secret. */
  private static ChannelSetting.Type typeOf(Map<String, ChannelSetting> known, String key) {
    Optional<ChannelSetting.Type> type =
        Optional.ofNullable(known.get(key)).map(ChannelSetting::type);
    boolean isCommand =
        key.endsWith("_command") && known.containsKey(key.replaceFirst("_command$", ""));
    boolean isFile = key.endsWith("_file") && known.containsKey(key.replaceFirst("_file$", ""));
    return type.or(
            () -> isCommand || isFile ? Optional.of(ChannelSetting.Type.TEXT) : Optional.empty())
        .orElseThrow(() -> {
          String keys = String.join(", ", known.keySet());
          return Problem.invalid(
                  key, "one of: " + keys, "unknown setting " + key + "; it must be one of: " + keys)
              .refused();
        });
  }

  private static String literal(ChannelSetting.Type type, String key, String value) {
    return switch (type) {
      case TEXT, URL, DURATION -> quoted(value);
      case NUMBER -> matching(key, value, "\\d{1,9}", "a whole number");
      case FLAG -> matching(key, value, "true|false", "true or false");
      case LIST ->
          Arrays.stream(value.split(",", -1))
              .map(String::strip)
              .filter(part -> !part.isEmpty())
              .map(ManagedChannels::quoted)
              .collect(Collectors.joining(", ", "[", "]"));
      case SECRET ->
          throw Problem.invalid(
                  key, "in a file or from a command", key + " is a secret and no setting")
              .refused();
    };
  }

  private static String matching(String key, String value, String pattern, String rule) {
    if (!value.matches(pattern)) {
      throw Problem.invalid(key, rule, key + " must be " + rule).refused();
    }
    return value;
  }

  static String quoted(String value) {
    StringBuilder text = new StringBuilder("\"");
    value
        .codePoints()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            text.append('\\').appendCodePoint(c);
          } else if (Character.isISOControl(c)) {
            text.append(String.format("\\u%04X", c));
          } else {
            text.appendCodePoint(c);
          }
        });
    return text.append('"').toString();
  }

  /** Returns the path of the file, relative to the data folder. */
  private Path writeSecret(ChannelName name, String key, String value) {
    try {
      Path folder = data.resolve(SECRETS);
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path file = folder.resolve(name + "." + key);
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, value.strip() + "\n", UTF_8, StandardOpenOption.WRITE);
      return Path.of(SECRETS).resolve(name + "." + key);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private Path file() {
    return data.resolve(FILE);
  }

  private static RefusedException unwritable(IOException e) {
    return new RefusedException(
        Problem.of(
            Code.UNAVAILABLE,
            "data",
            "a writable directory",
            "the settings of the channel cannot be written: " + e),
        e);
  }
}
