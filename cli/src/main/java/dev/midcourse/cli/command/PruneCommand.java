package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.cli.story.Money;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Forgets runs that ended long ago. */
final class PruneCommand implements Command {
  private static final String USUAL = "30d";
  private static final Option OLDER =
      Option.value(
          "--older-than", "TIME", "ended longer ago than this; " + USUAL + " if not given");

  static final Spec SPEC =
      new Spec(
          "prune",
          Spec.Group.HUB,
          "[--older-than TIME] [--json]",
          "forget runs that ended long ago, with their events and files",
          "",
          List.of(),
          List.of(OLDER, Common.JSON),
          List.of(new Example("midcourse prune --older-than 7d", "keep a week")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    Common.duration(arguments, OLDER);
    JsonValue.Obj answer =
        Hub.at(shell.data())
            .post(
                "/prune",
                JsonValue.Obj.EMPTY.with("older_than", arguments.value(OLDER).orElse(USUAL)));
    if (arguments.has(Common.JSON)) {
      Common.print(shell, answer);
    } else {
      long pruned = answer.number("pruned").orElse(0L);
      shell.page().line(Money.count(pruned) + (pruned == 1 ? " run" : " runs") + " forgotten");
    }
    return ExitCode.DONE;
  }
}
