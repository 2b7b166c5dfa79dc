package dev.midcourse.cli.command;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.screen.Width;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Checks everything a user may lack and says how to get it. */
final class DoctorCommand implements Command {
  static final Spec SPEC =
      new Spec(
          "doctor",
          Spec.Group.HUB,
          "[--json]",
          "check what Midcourse needs, and say how to get what is missing",
          """
          Exits with 1 when something is missing that it cannot work without. It starts a hub if none \
          is running, since the hub knows the agents.
          """,
          List.of(),
          List.of(Common.JSON),
          List.of());

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) throws InterruptedException {
    List<Checkup.Finding> findings = new Checkup(shell).all();
    if (arguments.has(Common.JSON)) {
      json(findings, shell);
    } else {
      print(findings, shell.page());
    }
    boolean broken = findings.stream().anyMatch(f -> f.grade() == Checkup.Grade.BROKEN);
    return broken ? ExitCode.FAILED : ExitCode.DONE;
  }

  private static void print(List<Checkup.Finding> findings, Page page) {
    int widest = findings.stream().mapToInt(f -> Width.of(f.name())).max().orElse(0);
    for (Checkup.Finding finding : findings) {
      String sign =
          switch (finding.grade()) {
            case GOOD -> page.paint(Ink.GREEN, page.signs().yes());
            case LACKING -> page.paint(Ink.YELLOW, page.signs().attention());
            case BROKEN -> page.paint(Ink.RED, page.signs().no());
          };
      String name = Width.padded(finding.name(), widest);
      page.line(sign + " " + name + "  " + page.fit(finding.what(), widest + 4));
      if (!finding.remedy().isEmpty()) {
        page.line(" ".repeat(widest + 4) + finding.remedy());
      }
    }
  }

  private static void json(List<Checkup.Finding> findings, Shell shell) {
    List<JsonValue> all = new ArrayList<>();
    for (Checkup.Finding finding : findings) {
      all.add(
          JsonValue.Obj.EMPTY
              .with("check", finding.name())
              .with("grade", finding.grade().name().toLowerCase(java.util.Locale.ROOT))
              .with("found", finding.what())
              .with("remedy", finding.remedy()));
    }
    Common.print(shell, new JsonValue.Arr(all));
  }
}
