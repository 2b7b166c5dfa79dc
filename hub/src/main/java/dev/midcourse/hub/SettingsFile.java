package dev.midcourse.hub;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * Reads {@code midcourse.toml}. What it does not say stays as usual; what it says wrongly is
 * refused with the name of the setting. The parser is loaded only when there is a file.
 */
final class SettingsFile {
  static final String NAME = "midcourse.toml";

  private static final Set<String> TABLES = Set.of("hub", "workers", "agents");
  private static final Set<String> OF_THE_HUB =
      Set.of("host", "port", "insecure", "database_url", "default_agent", "most_running");

  private SettingsFile() {}

  static HubSettings read(Path data) {
    Path file = data.resolve(NAME);
    HubSettings usual = HubSettings.in(data);
    if (Files.notExists(file)) {
      return usual;
    }
    try {
      return settings(usual, parsed(file));
    } catch (IOException e) {
      throw new RefusedException(
          Problem.invalid(NAME, "readable", file + " cannot be read: " + e.getMessage()), e);
    }
  }

  private static TomlParseResult parsed(Path file) throws IOException {
    TomlParseResult toml = Toml.parse(file);
    if (toml.hasErrors()) {
      throw Problem.invalid(NAME, "TOML", file + ": " + toml.errors().getFirst().toString())
          .refused();
    }
    only("", toml, TABLES);
    return toml;
  }

  private static HubSettings settings(HubSettings usual, TomlParseResult toml) {
    TomlTable hub = table(toml, "hub");
    only("hub.", hub, OF_THE_HUB);
    return new HubSettings(
        usual.data(),
        text(hub, "host").orElse(usual.host()),
        number(hub, "hub.", "port"),
        flag(hub, "insecure"),
        usual.untilIdle(),
        text(hub, "database_url"),
        text(hub, "default_agent").map(AgentName::of),
        number(hub, "hub.", "most_running").orElse(usual.mostRunning()),
        workers(table(toml, "workers")));
  }

  private static Map<WorkerName, Integer> workers(TomlTable table) {
    Map<WorkerName, Integer> atOnce = new LinkedHashMap<>();
    for (String name : table.keySet()) {
      TomlTable worker = table(table, name);
      String prefix = "workers." + name + ".";
      only(prefix, worker, Set.of("at_once"));
      atOnce.put(WorkerName.of(name), number(worker, prefix, "at_once").orElse(1));
    }
    return atOnce;
  }

  private static TomlTable table(TomlTable parent, String name) {
    @Nullable Object value = parent.get(List.of(name));
    if (value == null) {
      return Toml.parse("");
    }
    if (value instanceof TomlTable table) {
      return table;
    }
    throw wrong(name, "a table");
  }

  private static void only(String prefix, TomlTable table, Set<String> names) {
    for (String name : table.keySet()) {
      if (!names.contains(name)) {
        throw Problem.invalid(
                prefix + name,
                "one of: " + String.join(", ", names.stream().sorted().toList()),
                NAME + " has no setting " + prefix + name)
            .refused();
      }
    }
  }

  private static Optional<String> text(TomlTable table, String name) {
    @Nullable Object value = table.get(List.of(name));
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof String text) {
      return Optional.of(text);
    }
    throw wrong(name, "a string");
  }

  private static Optional<Integer> number(TomlTable table, String prefix, String name) {
    @Nullable Object value = table.get(List.of(name));
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
      return Optional.of(number.intValue());
    }
    throw wrong(prefix + name, "a whole number from 0");
  }

  private static boolean flag(TomlTable table, String name) {
    @Nullable Object value = table.get(List.of(name));
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw wrong(name, "true or false");
  }

  private static RefusedException wrong(String name, String rule) {
    return Problem.invalid(name, rule, NAME + ": " + name + " must be " + rule).refused();
  }
}
