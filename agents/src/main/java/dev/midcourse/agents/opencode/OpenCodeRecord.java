package dev.midcourse.agents.opencode;

import dev.midcourse.agents.process.CommandProbe;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SessionId;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The record of a session in the database of OpenCode, read with OpenCode's own program. A message
 * that opens a turn counts as soon as it was admitted, because OpenCode adds it to the next
 * message. A steer counts only after it was given to the model, because the same id has no second
 * effect.
 *
 * @param program the command that starts OpenCode
 */
record OpenCodeRecord(String program, Map<String, String> environment) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_BYTES = 64 * 1024 * 1024;
  private static final Pattern VALID_ID = Pattern.compile("[A-Za-z0-9_]+");

  OpenCodeRecord {
    environment = Map.copyOf(environment);
  }

  /**
   * Returns the passages that are in the record; empty if the record lacks the session or cannot be
   * read.
   */
  Optional<Set<String>> holding(SessionId session, OpenCodeIds ids, Set<String> passages) {
    if (!VALID_ID.matcher(session.value()).matches()) {
      return Optional.empty();
    }
    return rows(inputsOf(session))
        .filter(rows -> !rows.isEmpty())
        .map(rows -> {
          Set<String> found = new HashSet<>();
          rows.valueStream()
              .filter(row -> counts(row, ids))
              .map(row -> ProtocolJson.text(row, "prompt"))
              .map(prompt ->
                  ProtocolJson.object(prompt)
                      .map(it -> ProtocolJson.text(it, "text"))
                      .orElse(prompt))
              .forEach(text -> passages.stream().filter(text::contains).forEach(found::add));
          return found;
        });
  }

  private static boolean counts(JsonNode row, OpenCodeIds ids) {
    return row.path("promoted").isNumber() || ids.steerOf(ProtocolJson.text(row, "id")).isEmpty();
  }

  private static String inputsOf(SessionId session) {
    return """
    SELECT input.id AS id, input.prompt AS prompt, input.promoted_seq AS promoted
    FROM session LEFT JOIN session_input AS input ON input.session_id = session.id
    WHERE session.id = '%s'
    """
        .formatted(session.value());
  }

  private Optional<JsonNode> rows(String query) {
    List<String> words = List.of(program, "db", query, "--format", "json");
    try {
      CommandProbe.ProbeResult said =
          new CommandProbe(words, environment, TIMEOUT, MAX_BYTES).output();
      return said.code().equals(OptionalInt.of(0))
          ? ProtocolJson.object("{\"rows\":" + said.out() + "}").map(it -> it.path("rows"))
          : Optional.empty();
    } catch (IOException cannotBeStarted) {
      return Optional.empty();
    }
  }
}
