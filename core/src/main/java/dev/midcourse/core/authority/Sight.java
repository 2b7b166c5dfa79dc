package dev.midcourse.core.authority;

import dev.midcourse.core.id.RunId;
import java.util.List;
import java.util.Optional;

/** Which runs somebody may look at, as something a store can be asked for. */
public sealed interface Sight {

  record Everything() implements Sight {}

  /** The runs of these workers, and one run of its own. */
  record Only(List<NamePattern> workers, Optional<RunId> own) implements Sight {
    public Only {
      workers = List.copyOf(workers);
    }
  }
}
