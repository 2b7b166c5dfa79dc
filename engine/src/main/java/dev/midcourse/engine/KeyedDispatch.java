package dev.midcourse.engine;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.core.run.Run;
import dev.midcourse.ledger.DispatchKey;
import dev.midcourse.ledger.LedgerReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A dispatch under a key of its group. The same key with the same content is the run that was
 * stored before; the same key with other content is a conflict. The order of fields is not content.
 *
 * @param written the dispatch as its author wrote it
 */
record KeyedDispatch(GroupName group, IdempotencyKey key, JsonValue written) {

  /** The run that was stored under the key before; refuses if the content differs. */
  Optional<Run> storedRun(LedgerReader reading) {
    Optional<DispatchKey> stored = reading.dispatchKey(group, key);
    Optional<Run> run = stored.flatMap(its -> reading.run(its.run()));
    run.filter(its -> !hasSameContent(stored.orElseThrow(), its))
        .ifPresent(its -> {
          throw Problem.of(
                  Code.KEY_CONFLICT,
                  "key",
                  "one key, one content",
                  "the key was used before for run "
                      + its.id()
                      + " with other content; nothing was stored")
              .refused();
        });
    return run;
  }

  DispatchKey storedAs(RunId run) {
    return new DispatchKey(group, key, run, Optional.of(digest()));
  }

  private boolean hasSameContent(DispatchKey stored, Run run) {
    return stored.content().map(digest()::equals).orElseGet(() -> isPartOf(run));
  }

  /** The dispatch of a run has all fields of the written one, and may have a session besides. */
  private boolean isPartOf(Run run) {
    return written instanceof JsonValue.Obj fields
        && run.spec().dispatch().flatMap(JsonInput::parse).orElseGet(JsonValue::object)
            instanceof JsonValue.Obj kept
        && kept.fields().entrySet().containsAll(fields.fields().entrySet());
  }

  private String digest() {
    byte[] content = JsonWriter.compact(sorted(written)).getBytes(StandardCharsets.UTF_8);
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  private static JsonValue sorted(JsonValue value) {
    return switch (value) {
      case JsonValue.Obj fields -> {
        Map<String, JsonValue> byName = new TreeMap<>();
        fields.fields().forEach((name, field) -> byName.put(name, sorted(field)));
        yield new JsonValue.Obj(byName);
      }
      case JsonValue.Arr(List<JsonValue> items) ->
          new JsonValue.Arr(items.stream().map(KeyedDispatch::sorted).toList());
      case JsonValue.Str _, JsonValue.Num _, JsonValue.Bool _, JsonValue.Null _ -> value;
    };
  }
}
