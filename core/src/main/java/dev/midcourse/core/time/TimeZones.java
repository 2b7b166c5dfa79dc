package dev.midcourse.core.time;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Suggestion;
import dev.midcourse.core.WireNames;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Names of time zones: the names of the IANA database, such as {@code Europe/Berlin}. */
public final class TimeZones {
  /** The zone of a text that names none. */
  public static final ZoneId UTC = ZoneId.of("UTC");

  private static final String RULE = "an IANA time zone such as Europe/Berlin, or UTC";

  private static final Map<String, String> NAMES =
      ZoneId.getAvailableZoneIds().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  name -> name.toLowerCase(Locale.ROOT), Function.identity()));

  private TimeZones() {}

  /** Returns the zone of this name, in any case of letters. Refuses any other text. */
  public static ZoneId parse(String field, String name) {
    return find(name)
        .orElseThrow(() ->
            Problem.invalid(
                    field,
                    RULE,
                    field + " must be " + RULE + "; got " + WireNames.shown(name) + hint(name))
                .refused());
  }

  /** Returns the zone of this name, or UTC if no zone has it. */
  public static ZoneId parseOrUtc(String name) {
    return find(name).orElse(UTC);
  }

  private static Optional<ZoneId> find(String name) {
    return Optional.ofNullable(NAMES.get(name.toLowerCase(Locale.ROOT))).map(ZoneId::of);
  }

  private static String hint(String name) {
    if (name.isBlank()) {
      return "";
    }
    String words = name.strip().replace(' ', '_');
    List<String> all = NAMES.values().stream().sorted().toList();
    Optional<String> city =
        all.stream()
            .filter(zone -> zone.substring(zone.lastIndexOf('/') + 1).equalsIgnoreCase(words))
            .findFirst();
    return city.or(() -> Suggestion.to(words, all))
        .map(zone -> ". Did you mean " + zone + "?")
        .orElse("");
  }
}
