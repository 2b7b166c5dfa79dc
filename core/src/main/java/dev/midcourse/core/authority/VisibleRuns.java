package dev.midcourse.core.authority;

import dev.midcourse.core.id.RunId;
import java.util.List;
import java.util.Optional;

/** The runs that a caller may see, in a form that a store can query. */
public sealed interface VisibleRuns {

  record Everything() implements VisibleRuns {}

  /** The runs of these workers, and the caller's own run. */
  record Only(List<NamePattern> workers, Optional<RunId> own) implements VisibleRuns {
    public Only {
      workers = List.copyOf(workers);
    }
  }
}
