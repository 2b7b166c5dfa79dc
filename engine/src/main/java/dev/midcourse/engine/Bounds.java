package dev.midcourse.engine;

import dev.midcourse.core.run.Limits;
import java.util.Optional;

/**
 * What runs with one agent are held to.
 *
 * @param atOnce how many may run at once; without it as many as the host takes
 * @param limits what each of them may take
 */
public record Bounds(Optional<Integer> atOnce, Limits limits) {
  public static final Bounds NONE = new Bounds(Optional.empty(), Limits.NONE);
}
