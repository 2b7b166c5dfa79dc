package dev.midcourse.core.run;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import java.util.Optional;

/**
 * The order for a run: its prompt, agent, worker and folder. It does not change while the run is
 * live.
 *
 * @param workspace the folder of the agent, as a path on its host
 * @param session the session to continue
 * @param parent the run that this one follows
 * @param dispatch the text of the dispatch, if the run has one
 */
public record RunSpec(
    String prompt,
    AgentName agent,
    WorkerName worker,
    String workspace,
    Author author,
    PendingPolicy pending,
    int maxAttempts,
    Optional<SessionId> session,
    Optional<RunId> parent,
    Optional<String> dispatch) {

  public static final int MAX_PROMPT_BYTES = 1024 * 1024;
  public static final int DEFAULT_ATTEMPTS = 5;

  public RunSpec {
    if (prompt.isBlank()) {
      throw Problem.invalid("prompt", "not blank", "the prompt is blank").refused();
    }
    if (Utf8.longerThan(prompt, MAX_PROMPT_BYTES)) {
      throw Problem.of(Code.TOO_LARGE, "prompt", "at most 1 MiB", "the prompt is over 1 MiB")
          .refused();
    }
    if (prompt.indexOf('\0') >= 0 || !Utf8.isWhole(prompt)) {
      throw Problem.invalid("prompt", "valid Unicode without NUL", "the prompt is not plain text")
          .refused();
    }
    if (workspace.isBlank() || workspace.indexOf('\0') >= 0) {
      throw Problem.invalid("dir", "a directory", "the workspace is not the name of a directory")
          .refused();
    }
    if (maxAttempts < 1 || maxAttempts > 100) {
      throw Problem.invalid("attempts", "1 to 100", "attempts must be from 1 to 100").refused();
    }
  }
}
