package dev.midcourse.cli.live;

import dev.midcourse.cli.client.DeliveryDelay;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.ReceiptPrinter;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.steer.Rung;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Follows a receipt up to a rung. For a requested rung it waits until the rung is reached, the
 * steer has ended or the timeout has passed. Without a requested rung it waits at most ten seconds,
 * and a rung that is not reached is no failure.
 */
public final class ReceiptWaiter {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ONE_REQUEST = Duration.ofSeconds(30);

  /** After this delay the reason why a steer is not in delivery is printed. */
  private static final Duration REASON_DELAY = Duration.ofSeconds(1);

  static final List<String> RUNGS =
      Arrays.stream(Rung.values()).map(r -> r.name().toLowerCase(Locale.ROOT)).toList();
  public static final OptionSpec WAIT =
      OptionSpec.choice("--wait", "RUNG", RUNGS, "wait until this rung is reached");

  private final ShellContext shell;
  private final boolean json;
  private final Optional<Rung> asked;
  private final Optional<Duration> atMost;

  private ReceiptWaiter(
      ShellContext shell, boolean json, Optional<Rung> asked, Optional<Duration> atMost) {
    this.shell = shell;
    this.json = json;
    this.asked = asked;
    this.atMost = atMost;
  }

  public static ReceiptWaiter of(ParsedArguments arguments, ShellContext shell) {
    return new ReceiptWaiter(
        shell,
        arguments.has(CommonOptions.JSON),
        arguments.value(WAIT).flatMap(name -> ExitCode.named(Rung.values(), name)),
        CommonOptions.duration(arguments, CommonOptions.TIMEOUT));
  }

  public boolean asked() {
    return asked.isPresent();
  }

  /** Prints each rung until the requested rung, or else the usual one, is reached. */
  public ExitCode follow(HubClient hub, ReceiptInfo from, Rung defaultRung) {
    Rung wanted = asked.orElse(defaultRung);
    Optional<Duration> timeout =
        atMost.or(() -> asked.isPresent() ? Optional.empty() : Optional.of(DEFAULT_TIMEOUT));
    long began = System.nanoTime();
    ReceiptPrinter climb = new ReceiptPrinter(shell.page());
    ReceiptInfo receipt = from;
    tell(climb, receipt);
    boolean fresh = true;
    while (!receipt.ended() && !receipt.reached(wanted)) {
      Duration spent = Duration.ofNanos(System.nanoTime() - began);
      Duration left = timeout.map(all -> all.minus(spent)).orElse(ONE_REQUEST);
      if (left.isNegative() || left.isZero()) {
        break;
      }
      Duration most = fresh ? REASON_DELAY : ONE_REQUEST;
      Duration wait = left.compareTo(most) < 0 ? left : most;
      receipt = new ReceiptInfo(hub.getSlowly(path(receipt, wait), wait));
      tell(climb, receipt);
      if (fresh && !json) {
        DeliveryDelay.of(hub, receipt).ifPresent(climb::pending);
      }
      fresh = false;
    }
    return end(receipt, wanted);
  }

  private void tell(ReceiptPrinter climb, ReceiptInfo receipt) {
    if (!json) {
      climb.tell(receipt);
    }
  }

  private ExitCode end(ReceiptInfo receipt, Rung wanted) {
    ExitCode code = receipt.exitCode(wanted);
    boolean climbsOn = code == ExitCode.TIME_OVER;
    if (json) {
      CommonOptions.print(shell, receipt.json());
    } else if (climbsOn) {
      shell.notes().line("  delivery continues: midcourse receipt " + receipt.shortId());
    }
    return climbsOn && asked.isEmpty() ? ExitCode.DONE : code;
  }

  /**
   * Returns the path that waits for the next rung, not for the last, so that each rung is printed
   * when it is reached.
   */
  private static String path(ReceiptInfo receipt, Duration wait) {
    int reached = RUNGS.indexOf(receipt.rung());
    String next = RUNGS.get(Math.min(reached + 1, RUNGS.size() - 1));
    return CommonOptions.steer(receipt.id()) + "?wait=" + next + "&timeout=" + seconds(wait);
  }

  /** Returns the value of the hub's timeout parameter: whole seconds, at least one. */
  private static String seconds(Duration wait) {
    return Math.max(1, wait.toSeconds()) + "s";
  }
}
