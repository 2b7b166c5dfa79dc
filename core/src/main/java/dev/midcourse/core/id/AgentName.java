package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** The configured name of an agent: claude, codex, rehearsal. */
public record AgentName(String value) {
  private static final IdRule RULE =
      new IdRule(
          "agent",
          Pattern.compile("[a-z0-9][a-z0-9-]*"),
          32,
          "1 to 32 lower-case letters, digits or '-'");

  public AgentName {
    RULE.check(value);
  }

  public static AgentName of(String text) {
    return new AgentName(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
