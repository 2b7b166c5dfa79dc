package dev.midcourse.engine.checkout;

import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.contract.DispatchReader;
import dev.midcourse.core.contract.Validated;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.run.RunSpec;
import java.util.Optional;

/** Reads the dispatch that a run carries as JSON text. */
public final class StoredDispatch {
  private StoredDispatch() {}

  /** The dispatch of a run. Empty when the run has none, or one that breaks today's rules. */
  public static Optional<Dispatch> of(RunSpec spec) {
    return spec.dispatch().flatMap(StoredDispatch::parse);
  }

  /** The dispatch that this JSON text holds. Empty when it breaks a rule. */
  public static Optional<Dispatch> parse(String json) {
    return JsonInput.parse(json)
        .map(DispatchReader::read)
        .flatMap(checked ->
            checked instanceof Validated.Valid<Dispatch>(Dispatch sound)
                ? Optional.of(sound)
                : Optional.empty());
  }
}
