package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgePages;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteCheck.Annotation;
import dev.midcourse.core.loop.forge.RemoteCheck.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads what CI says of a commit: check runs with their annotations and logs, and statuses. */
final class GitHubCheckReader {
  private static final int MAX_WITH_ANNOTATIONS = 20;
  private static final int MAX_LOG_BYTES = 4 * 1024 * 1024;
  private static final long MAX_LOG_READ = 100L * 1024 * 1024;
  private static final Pattern LINE_TIME =
      Pattern.compile("(?m)^\\uFEFF?\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{1,9}Z ");

  private final GitHubApi api;

  GitHubCheckReader(GitHubApi api) {
    this.api = api;
  }

  /**
   * The checks of a commit.
   *
   * @param incomplete why there are more than these
   */
  record Checks(List<RemoteCheck> checks, Optional<String> incomplete) {}

  /** Throws if the token may not read check runs. Without them CI is never known to be green. */
  void requireReadable(String branch) throws ForgeException, InterruptedException {
    try {
      checkRunPages(ForgeRequest.encode(branch));
    } catch (ForgeException e) {
      switch (e.error()) {
        case ForgeError.Forbidden _,
            ForgeError.Unauthorized _,
            ForgeError.Limited _,
            ForgeError.Outage _ ->
            throw e;
        // A repository without commits has no check runs.
        case ForgeError.NotFound _, ForgeError.Conflict _, ForgeError.Invalid _ -> {}
      }
    }
  }

  private ForgePages checkRunPages(String commit) throws ForgeException, InterruptedException {
    try {
      return api.list("/commits/" + commit + "/check-runs?filter=latest", "check_runs");
    } catch (ForgeException e) {
      if (e.error() instanceof ForgeError.Forbidden(String message)) {
        throw new ForgeException(
            new ForgeError.Forbidden(
                message
                    + "; GitHub lets no fine-grained token read the check runs of a private"
                    + " repository: use an App, gh, or a classic token"));
      }
      throw e;
    }
  }

  /** The newest check run of each name. */
  Checks checkRuns(String head) throws ForgeException, InterruptedException {
    ForgePages pages = checkRunPages(head);
    List<RemoteCheck> checks = new ArrayList<>();
    int withAnnotations = 0;
    for (JsonValue.Obj run : pages.items()) {
      State state = state(run);
      boolean hasAnnotations =
          state.hasEnded()
              && !state.isGood()
              && run.object("output").number("annotations_count").orElse(0L) > 0
              && ++withAnnotations <= MAX_WITH_ANNOTATIONS;
      String id = run.text("id").orElse("");
      checks.add(
          new RemoteCheck(
              id,
              run.string("name").orElse(""),
              state,
              summary(run.object("output")),
              run.string("html_url").or(() -> run.string("details_url")).orElse(""),
              hasAnnotations ? annotations(id) : List.of()));
    }
    return new Checks(checks, pages.incomplete());
  }

  /** The newest status of each context. */
  Checks statuses(String head) throws ForgeException, InterruptedException {
    ForgePages pages = api.list("/commits/" + head + "/status", "statuses");
    List<RemoteCheck> checks =
        pages.items().stream()
            .map(status ->
                new RemoteCheck(
                    "",
                    status.string("context").orElse(""),
                    switch (status.string("state").orElse("")) {
                      case "success" -> State.SUCCESS;
                      case "pending" -> State.RUNNING;
                      case "failure", "error" -> State.FAILURE;
                      default -> State.UNKNOWN;
                    },
                    status.string("description").orElse(""),
                    status.string("target_url").orElse(""),
                    List.of()))
            .toList();
    return new Checks(checks, pages.incomplete());
  }

  private static State state(JsonValue.Obj run) {
    return switch (run.string("status").orElse("")) {
      case "queued", "waiting", "requested", "pending" -> State.WAITING;
      case "in_progress" -> State.RUNNING;
      case "completed" ->
          switch (run.string("conclusion").orElse("")) {
            case "success" -> State.SUCCESS;
            case "neutral" -> State.NEUTRAL;
            case "skipped" -> State.SKIPPED;
            case "failure", "startup_failure" -> State.FAILURE;
            case "cancelled" -> State.CANCELLED;
            case "timed_out" -> State.TIMED_OUT;
            case "action_required" -> State.ACTION_REQUIRED;
            default -> State.UNKNOWN;
          };
      default -> State.UNKNOWN;
    };
  }

  private static String summary(JsonValue.Obj output) {
    String title = output.string("title").orElse("");
    String summary = output.string("summary").orElse("");
    return title.isBlank() || summary.isBlank() ? title + summary : title + "\n\n" + summary;
  }

  /**
   * The first hundred annotations. Without them the check is as red as before, so a failure to read
   * them only leaves them out.
   */
  private List<Annotation> annotations(String id) throws ForgeException, InterruptedException {
    List<JsonValue.Obj> found;
    try {
      found = api.firstPage("/check-runs/" + id + "/annotations");
    } catch (ForgeException e) {
      if (e.error() instanceof ForgeError.Limited || e.error() instanceof ForgeError.Unauthorized) {
        throw e;
      }
      return List.of();
    }
    return found.stream()
        .map(annotation ->
            new Annotation(
                annotation.string("path").filter(path -> !path.isBlank()),
                (int) (long) annotation.number("start_line").orElse(0L),
                switch (annotation.string("annotation_level").orElse("")) {
                  case "notice" -> Annotation.Level.NOTICE;
                  case "warning" -> Annotation.Level.WARNING;
                  default -> Annotation.Level.FAILURE;
                },
                annotation.string("title").orElse(""),
                annotation.string("message").orElse("")))
        .toList();
  }

  /** The end of the log of a job of GitHub Actions, whose id is that of its check run. */
  String log(String check, int maxCharacters) throws ForgeException, InterruptedException {
    if (!check.matches("\\d{1,19}")) {
      return "";
    }
    try {
      byte[] end = api.tail("/actions/jobs/" + check + "/logs", MAX_LOG_BYTES, MAX_LOG_READ);
      String text = LINE_TIME.matcher(new String(end, UTF_8)).replaceAll("");
      int from = Math.max(0, text.length() - maxCharacters);
      boolean splitsPair = from > 0 && from < text.length() && isSecondHalf(text.charAt(from));
      return text.substring(splitsPair ? from + 1 : from);
    } catch (ForgeException e) {
      if (e.error() instanceof ForgeError.NotFound) {
        return "";
      }
      throw e;
    }
  }

  private static boolean isSecondHalf(char c) {
    return Character.isLowSurrogate(c);
  }
}
