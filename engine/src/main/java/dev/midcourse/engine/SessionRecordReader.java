package dev.midcourse.engine;

import dev.midcourse.core.id.SessionId;
import java.util.Optional;
import java.util.Set;

/**
 * Looks into the record from which a dead agent's conversation would go on: which of these passages
 * it holds, or nothing where nobody can tell.
 */
@FunctionalInterface
public interface SessionRecordReader {
  Optional<Set<String>> of(SessionId session, Set<String> passages);
}
