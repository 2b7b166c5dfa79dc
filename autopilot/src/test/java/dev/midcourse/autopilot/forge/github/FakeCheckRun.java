package dev.midcourse.autopilot.forge.github;

import java.util.List;
import java.util.Optional;

/** A check run of {@link FakeGitHub}. */
record FakeCheckRun(
    long id,
    String name,
    String status,
    Optional<String> conclusion,
    List<Annotation> annotations,
    String log) {
  /** A remark about a line. */
  record Annotation(String path, int line, String level, String message) {}
}
