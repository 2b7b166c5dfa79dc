package dev.midcourse.core.contract;

import dev.midcourse.core.json.JsonBlocks;
import dev.midcourse.core.json.JsonValue;
import java.util.Optional;

/**
 * Finds the completion in the last answer of an agent: the last block between the two tags that
 * holds one JSON object.
 */
public final class CompletionBlocks {
  private static final String TAG = "completion";

  private CompletionBlocks() {}

  /** Returns the completion; empty if there is none. */
  public static Optional<JsonValue.Obj> last(String answer) {
    return JsonBlocks.last(TAG, answer);
  }
}
