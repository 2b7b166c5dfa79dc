package dev.midcourse.hub.api.lookup;

import dev.midcourse.core.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The rule for a request that names something by the beginning of its id: only one may match. */
public final class IdPrefix {
  /** The maximum of ids that a refusal names. */
  static final int MAX_NAMED = 8;

  private IdPrefix() {}

  /**
   * Returns the only match; empty if there is none. Refuses several and names them.
   *
   * @param field the field of the request
   * @param several the error, such as "several runs start with a"
   */
  public static <T> Optional<T> single(
      List<T> matches, String field, String several, Function<T, String> id) {
    if (matches.size() < 2) {
      return matches.stream().findFirst();
    }
    String named = matches.stream().limit(MAX_NAMED).map(id).collect(Collectors.joining(", "));
    throw Problem.invalid(
            field,
            "the full id, or a longer start of it",
            several + ": " + named + (matches.size() > MAX_NAMED ? " and more" : ""))
        .refused();
  }
}
