package dev.midcourse.cli.command.steer;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.IdempotencyKeys;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.NumberOptions;
import dev.midcourse.cli.input.TextSource;
import dev.midcourse.cli.live.ReceiptWaiter;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.steer.Rung;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sends a steer and prints each rung of its receipt. */
public final class SteerCommand extends Command {
  private static final Duration RESEND = Duration.ofSeconds(20);

  private static final OptionSpec INTERRUPT =
      OptionSpec.flag("--interrupt", "interrupt the turn and deliver this now");
  private static final OptionSpec FOLLOW_UP =
      OptionSpec.flag("--follow-up", "deliver this after the turn has ended");
  private static final OptionSpec LATER = OptionSpec.alias("--later");
  private static final OptionSpec NEXT =
      OptionSpec.flag("--next", "guidance for the next call of the agent, used once");
  private static final OptionSpec KEY = OptionSpec.value("--key", "KEY", "idempotency key");
  private static final OptionSpec TTL =
      OptionSpec.value("--ttl", "TIME", "expire if not delivered within TIME (30s, 5m, 2h)");
  private static final OptionSpec UNSUPPORTED =
      OptionSpec.choice(
          "--on-unsupported",
          "WHAT",
          List.of("degrade", "fail"),
          "if the agent does not support the mode");
  private static final OptionSpec EXPECT =
      OptionSpec.value("--expect-turn", "N", "only if turn N is running");
  private static final OptionSpec SUPERSEDES =
      OptionSpec.value("--supersedes", "STEER", "replace this steer if it is not delivered yet");

  public SteerCommand() {
    super(
        new CommandSpec(
                "steer",
                CommandSpec.Group.STEERS,
                "send a message to a live run and print its receipt",
                """
                The agent gets the text after its current tool call. A stored steer is never lost: if the \
                turn ends first, the text opens the next turn.

                TEXT may be several words, or - for standard input. Without TEXT an editor opens ($VISUAL, \
                $EDITOR).

                Without --wait the command follows the receipt until the text is in the session, for at most \
                ten seconds; delivery continues after that. With --follow-up or --next it returns when the \
                steer is stored. With --wait it exits with 0 when that rung is reached, otherwise with a \
                code that tells how the steer ended (midcourse help exit-codes).
                """,
                List.of(
                    CommonOptions.LIVE_RUN,
                    new Operand("TEXT", Operand.Count.ANY, Operand.Kind.TEXT)),
                List.of(
                    INTERRUPT,
                    FOLLOW_UP,
                    NEXT,
                    ReceiptWaiter.WAIT,
                    CommonOptions.TIMEOUT,
                    KEY,
                    TTL,
                    UNSUPPORTED,
                    EXPECT,
                    SUPERSEDES,
                    LATER,
                    CommonOptions.JSON),
                List.of(
                    new Example("midcourse steer - use the new client", "steer the only live run"),
                    new Example(
                        "midcourse steer fix --interrupt 'stop, the tests are right'",
                        "interrupt the turn"),
                    new Example(
                        "git diff | midcourse steer fix -", "read the text from standard input"),
                    new Example(
                        "midcourse steer fix --wait injected --timeout 1m 'no new files'",
                        "fail if it is not in the session within a minute")))
            .withAlternatives(INTERRUPT, FOLLOW_UP, NEXT));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    Optional<String> mode = mode(arguments);
    ReceiptWaiter waiting = ReceiptWaiter.of(arguments, shell);
    HubClient hub = new HubStarter(shell).client();
    if (arguments.text(1).isEmpty() && shell.interactive()) {
      requireLive(hub, arguments.operands().getFirst());
    }
    String text = new TextSource(shell).of(arguments.text(1), "steer", "");
    JsonValue.Obj request =
        JsonValue.Obj.EMPTY
            .with("text", text)
            .with("key", arguments.value(KEY).orElseGet(IdempotencyKeys::random))
            .with("mode", mode)
            .with("ttl", arguments.value(TTL))
            .with("on_unsupported", arguments.value(UNSUPPORTED))
            .with("supersedes", arguments.value(SUPERSEDES));
    Optional<Long> turn = NumberOptions.of(arguments, EXPECT);
    if (turn.isPresent()) {
      request = request.with("expected_turn", turn.get());
    }
    String path = CommonOptions.run(arguments.operands().getFirst()) + "/steers";
    ReceiptInfo receipt = new ReceiptInfo(hub.postWithKey(path, request, RESEND));
    if (!arguments.has(CommonOptions.JSON)) {
      shell.page().line("steer " + receipt.shortId() + " to " + receipt.run());
    }
    return waiting.follow(hub, receipt, defaultRung(arguments));
  }

  /** Refuses a run that has ended before an editor opens for a text that nobody could get. */
  private static void requireLive(HubClient hub, String named) {
    RunInfo run = new RunInfo(hub.get(CommonOptions.run(named)));
    if (!run.live()) {
      throw Failure.of(
          ExitCode.REFUSED,
          "run " + run.id() + " has ended: " + run.state(),
          "show its result: midcourse show " + run.id());
    }
  }

  /**
   * Returns the rung to wait for without {@code --wait}. A follow-up or next steer is delivered
   * after an unknown time, so the command does not wait for its delivery.
   */
  private static Rung defaultRung(ParsedArguments arguments) {
    return isFollowUp(arguments) || arguments.has(NEXT) ? Rung.STORED : Rung.INJECTED;
  }

  private static boolean isFollowUp(ParsedArguments arguments) {
    return arguments.has(FOLLOW_UP) || arguments.has(LATER);
  }

  private static Optional<String> mode(ParsedArguments arguments) {
    List<String> modes = new ArrayList<>();
    if (arguments.has(INTERRUPT)) {
      modes.add("interrupt");
    }
    if (isFollowUp(arguments)) {
      modes.add("follow_up");
    }
    if (arguments.has(NEXT)) {
      modes.add("next");
    }
    if (modes.size() > 1) {
      throw Failure.usage(
          "steer: --interrupt, --follow-up and --next cannot be used together",
          "use only one of them");
    }
    return modes.stream().findFirst();
  }
}
