package dev.midcourse.hub.settings.toml;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.hub.http.route.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * One table of the settings file. Read each key it may have, then call {@link #noMore}: it refuses
 * unknown keys. A value of the wrong type is refused with file and line.
 */
public final class ConfigSection {
  private final ConfigFile file;
  private final String prefix;
  private final TomlTable table;
  private final TreeSet<String> known = new TreeSet<>();

  ConfigSection(ConfigFile file, String prefix, TomlTable table) {
    this.file = file;
    this.prefix = prefix;
    this.table = table;
  }

  public Optional<String> text(String key) {
    return value(key, String.class, "a string");
  }

  /** Returns a text as parsed by a rule of its own, such as a name. */
  public <T> Optional<T> text(String key, Function<String, T> rule) {
    return text(key).map(text -> held(key, () -> rule.apply(text)));
  }

  public <E extends Enum<E>> Optional<E> oneOf(String key, Class<E> type) {
    return text(key, text -> WireNames.parse(type, prefix + key, text));
  }

  public Optional<Duration> duration(String key) {
    return text(key, text -> Durations.parse(prefix + key, text));
  }

  public Optional<Boolean> flag(String key) {
    return value(key, Boolean.class, "true or false");
  }

  public Optional<Integer> number(String key, int from, int to) {
    String rule = "a whole number from %d to %d".formatted(from, to);
    return value(key, Long.class, rule)
        .map(number -> {
          if (number < from || number > to) {
            throw wrong(key, rule, number);
          }
          return number.intValue();
        });
  }

  /** Returns a number above zero that may have a fraction. */
  public Optional<BigDecimal> amount(String key, int to) {
    String rule = "a number above 0, up to " + to;
    return value(key, Number.class, rule)
        .map(number -> {
          double amount = number.doubleValue();
          if (!(amount > 0 && amount <= to)) {
            throw wrong(key, rule, number);
          }
          return new BigDecimal(number.toString());
        });
  }

  public Optional<List<String>> texts(String key) {
    return value(key, TomlArray.class, "a list of strings")
        .map(array -> {
          List<String> texts = new ArrayList<>();
          for (Object element : array.toList()) {
            if (!(element instanceof String text)) {
              throw wrong(key, "a list of strings", element);
            }
            texts.add(text);
          }
          return texts;
        });
  }

  /** Returns a table of strings under names that the user chooses. */
  public Map<String, String> textByName(String key) {
    ConfigSection section = section(key);
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : section.table.keySet()) {
      section.text(name).ifPresent(text -> texts.put(name, text));
    }
    return texts;
  }

  /** Returns the table under a key. It is empty if there is none. */
  public ConfigSection section(String key) {
    TomlTable inner = value(key, TomlTable.class, "a table").orElseGet(() -> Toml.parse(""));
    return new ConfigSection(file, prefix + shown(key) + ".", inner);
  }

  /** Returns the tables in this one by names that the user chooses, in the order of the file. */
  public Map<String, ConfigSection> sectionByName() {
    Map<String, ConfigSection> sections = new LinkedHashMap<>();
    for (String name : table.keySet()) {
      sections.put(name, section(name));
    }
    return sections;
  }

  /** Returns the lines of the table, without its header. */
  public String toToml() {
    return table.toToml();
  }

  /** Refuses every key that was not read. */
  public void noMore() {
    for (String key : table.keySet()) {
      if (!known.contains(key)) {
        String rule = "one of: " + String.join(", ", known);
        throw file.refused(
            line(key),
            prefix + shown(key),
            rule,
            "unknown setting " + prefix + shown(key) + "; it must be " + rule);
      }
    }
  }

  /** Returns the result of a rule for the value of a key. Adds file and line to its refusal. */
  public <T> T held(String key, Supplier<T> others) {
    try {
      return others.get();
    } catch (RefusedException refused) {
      Problem problem = refused.problem();
      throw new RefusedException(
          file.refused(line(key), prefix + shown(key), problem.rule(), problem.message()).problem(),
          refused);
    }
  }

  /** Returns a refusal of the value of a key, with file and line. */
  public RefusedException refusal(String key, String rule, String message) {
    return file.refused(line(key), prefix + shown(key), rule, message);
  }

  private <T> Optional<T> value(String key, Class<T> type, String rule) {
    known.add(key);
    @Nullable Object value = table.get(List.of(key));
    if (value != null && !type.isInstance(value)) {
      throw wrong(key, rule, value);
    }
    return Optional.ofNullable(value).map(type::cast);
  }

  private RefusedException wrong(String key, String rule, Object value) {
    String got =
        switch (value) {
          case TomlTable _ -> "a table";
          case TomlArray _ -> "a list";
          default -> WireNames.shown(value.toString());
        };
    String name = prefix + shown(key);
    return file.refused(line(key), name, rule, name + " must be " + rule + "; got " + got);
  }

  /** Returns the line of the key. A missing table counts as the first line. */
  private int line(String key) {
    @Nullable TomlPosition position = table.inputPositionOf(List.of(key));
    return position == null ? 1 : position.line();
  }

  private static String shown(String key) {
    return key.matches("[A-Za-z0-9_-]+") ? key : WireNames.shown(key);
  }
}
