package dev.midcourse.core.authority;

import dev.midcourse.core.id.RunId;
import java.util.List;
import java.util.Optional;

/** Which runs somebody may look at, as something a store can be asked for. */
public sealed interface VisibleRuns {

  record Everything() implements VisibleRuns {}

  /** The runs of these workers, and one run of its own. */
  record Only(List<NamePattern> workers, Optional<RunId> own) implements VisibleRuns {
    public Only {
      workers = List.copyOf(workers);
    }
  }
}
