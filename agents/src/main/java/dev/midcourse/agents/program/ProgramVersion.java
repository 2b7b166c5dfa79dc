package dev.midcourse.agents.program;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A version as programs print it: the first number with dots in a text, compared part by part. */
public record ProgramVersion(String text, List<Integer> parts)
    implements Comparable<ProgramVersion> {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})+");

  /** The version of a program that does not report one. It is older than all others. */
  public static final ProgramVersion UNKNOWN = new ProgramVersion("unknown", List.of());

  public ProgramVersion {
    parts = List.copyOf(parts);
  }

  public static ProgramVersion in(String text) {
    Optional<String> number = NUMBER.matcher(text).results().map(MatchResult::group).findFirst();
    return number
        .map(n ->
            new ProgramVersion(n, Stream.of(n.split("\\.", -1)).map(Integer::valueOf).toList()))
        .orElse(UNKNOWN);
  }

  public boolean atLeast(String other) {
    return compareTo(in(other)) >= 0;
  }

  @Override
  public int compareTo(ProgramVersion other) {
    for (int i = 0; i < Math.min(parts.size(), other.parts.size()); i++) {
      int order = parts.get(i).compareTo(other.parts.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(parts.size(), other.parts.size());
  }
}
