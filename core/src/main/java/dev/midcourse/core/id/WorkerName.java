package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** The name of a worker, which executes runs one at a time. */
public record WorkerName(String value) {
  private static final IdRule RULE =
      new IdRule(
          "worker",
          Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*"),
          64,
          "1 to 64 letters, digits, '_' or '-', starting with a letter or digit");

  public WorkerName {
    RULE.check(value);
  }

  public static WorkerName of(String text) {
    return new WorkerName(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
