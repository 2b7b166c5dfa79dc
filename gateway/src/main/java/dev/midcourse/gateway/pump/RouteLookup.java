package dev.midcourse.gateway.pump;

import java.util.Optional;

/** Finds the attempt that a secret belongs to. A fenced attempt is not found. */
@FunctionalInterface
public interface RouteLookup {
  Optional<AttemptRoute> find(String secret);
}
