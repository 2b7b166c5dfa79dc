package dev.midcourse.hub.settings.worker;

import dev.midcourse.core.run.Limits;
import dev.midcourse.hub.settings.toml.ConfigSection;

/** A table {@code limits} of the settings file: the limits of one run. */
public final class LimitsSection {
  private static final int MAX_TOKENS = 2_000_000_000;
  private static final int MAX_DOLLARS = 1_000_000;
  private static final int MICRO = 6;

  private LimitsSection() {}

  /** Reads the table {@code limits} of an agent or a worker. */
  public static Limits of(ConfigSection owner) {
    ConfigSection limits = owner.section("limits");
    Limits written = read(limits);
    limits.noMore();
    return written;
  }

  /** Reads the limits that every such table may have. */
  public static Limits read(ConfigSection limits) {
    return new Limits(
        limits.duration("time"),
        limits.number("tokens", 1, MAX_TOKENS).map(Integer::longValue),
        limits
            .amount("cost", MAX_DOLLARS)
            .map(dollars -> dollars.movePointRight(MICRO).longValue()));
  }
}
