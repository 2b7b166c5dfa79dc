package dev.midcourse.cli.command;

import dev.midcourse.cli.doctor.HealthChecks;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Checks the requirements of Midcourse and prints how to meet those that are not met. */
final class DoctorCommand extends Command {
  DoctorCommand() {
    super(
        new CommandSpec(
            "doctor",
            CommandSpec.Group.HUB,
            "check the requirements of Midcourse and how to fix problems",
            """
            Exits with 1 if a required part is missing. It starts a hub if none is running, because the \
            hub finds the agents.
            """,
            List.of(),
            List.of(CommonOptions.JSON),
            List.of()));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    List<HealthChecks.CheckResult> findings = new HealthChecks(shell).all();
    if (arguments.has(CommonOptions.JSON)) {
      json(findings, shell);
    } else {
      print(findings, shell.page());
    }
    boolean broken = findings.stream().anyMatch(f -> f.grade() == HealthChecks.Grade.BROKEN);
    return broken ? ExitCode.FAILED : ExitCode.DONE;
  }

  private static void print(List<HealthChecks.CheckResult> findings, TerminalOutput page) {
    int widest = findings.stream().mapToInt(f -> DisplayWidth.of(f.name())).max().orElse(0);
    for (HealthChecks.CheckResult finding : findings) {
      String sign =
          switch (finding.grade()) {
            case GOOD -> page.paint(TextColor.GREEN, page.glyphs().yes());
            case LACKING -> page.paint(TextColor.YELLOW, page.glyphs().attention());
            case BROKEN -> page.paint(TextColor.RED, page.glyphs().no());
          };
      String name = DisplayWidth.padded(finding.name(), widest);
      String indent = " ".repeat(widest + 4);
      List<String> lines = found(finding, page, widest + 4);
      page.line(sign + " " + name + "  " + lines.getFirst());
      lines.stream().skip(1).forEach(line -> page.line(indent + line));
      if (!finding.remedy().isEmpty()) {
        page.line(indent + TextSanitizer.line(finding.remedy()));
      }
    }
  }

  /** Returns one line if the check passed. A problem is shown whole: its end names the cause. */
  private static List<String> found(
      HealthChecks.CheckResult finding, TerminalOutput page, int behind) {
    String text = TextSanitizer.line(finding.what());
    return switch (finding.grade()) {
      case GOOD -> List.of(page.fit(text, behind));
      case LACKING, BROKEN -> page.wrap(text, behind);
    };
  }

  private static void json(List<HealthChecks.CheckResult> findings, ShellContext shell) {
    List<JsonValue> all = new ArrayList<>();
    for (HealthChecks.CheckResult finding : findings) {
      all.add(
          JsonValue.Obj.EMPTY
              .with("check", finding.name())
              .with("grade", finding.grade().name().toLowerCase(java.util.Locale.ROOT))
              .with("found", finding.what())
              .with("remedy", finding.remedy()));
    }
    CommonOptions.print(shell, new JsonValue.Arr(all));
  }
}
