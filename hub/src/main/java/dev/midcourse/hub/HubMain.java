package dev.midcourse.hub;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.hub.boot.FatalErrors;
import dev.midcourse.hub.boot.HubLog;
import dev.midcourse.hub.settings.HubArguments;
import dev.midcourse.hub.settings.HubSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The hub as a program: {@code midcourse serve}. Ends with 0 when it was asked to or had nothing
 * more to do, with 1 when it could not start, with 2 for a wrong use, with 3 after an error that
 * leaves the process broken.
 */
public final class HubMain {
  private static final Duration NEVER = Duration.ofDays(36_500);

  private HubMain() {}

  public static void main(String... args) {
    System.exit(run(System.out, System.err, args));
  }

  /** Runs a hub until its shutdown. Returns the exit code. */
  public static int run(PrintStream out, PrintStream err, String... args) {
    HubArguments arguments;
    try {
      arguments = HubArguments.parse(args);
    } catch (RefusedException e) {
      say(err, "midcourse: serve: " + e.getMessage());
      say(err, "  usage: midcourse serve [OPTIONS]; see midcourse help serve");
      return 2;
    }
    try {
      return serve(arguments, out, err);
    } catch (RefusedException e) {
      say(err, "midcourse: " + e.getMessage());
      say(err, "  check the settings: midcourse doctor; list the options: midcourse help serve");
      return 1;
    } catch (IOException e) {
      say(err, "midcourse: hub failed to start: " + e.getMessage());
      say(err, "  check the setup: midcourse doctor");
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static int serve(HubArguments arguments, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    Path data = HubArguments.data(System.getenv()).toAbsolutePath().normalize();
    HubSettings settings = arguments.settings(data, System.getenv());
    FatalErrors.endProcessIfUncaught();
    Hub hub = Hub.start(settings);
    HubLog log =
        HubLog.open(
            data.resolve("hub.log"), arguments.foreground() ? Optional.of(err) : Optional.empty());
    Thread shutdown = new Thread(() -> leave(hub, log, err), "shutdown");
    Runtime.getRuntime().addShutdownHook(shutdown);
    log.say("hub " + ProcessHandle.current().pid() + " started at " + hub.url() + " in " + data);
    say(out, "midcourse hub at " + hub.url() + ", data in " + data);
    say(out, "print the page link: midcourse status");
    settings
        .untilIdle()
        .ifPresentOrElse(time -> untilIdle(hub, time), () -> untilAsked(hub, NEVER));
    return 0; // and the hook says shutdown
  }

  private static void untilIdle(Hub hub, Duration time) {
    Duration look = time.dividedBy(4);
    Duration step = look.compareTo(Duration.ofSeconds(1)) > 0 ? Duration.ofSeconds(1) : look;
    long idleSince = System.nanoTime();
    long connectionsSinceStart = hub.connectionsSinceStart();
    while (!untilAsked(hub, step)) {
      if (hub.connectionsSinceStart() != connectionsSinceStart || !hub.idle()) {
        connectionsSinceStart = hub.connectionsSinceStart();
        idleSince = System.nanoTime();
      } else if (System.nanoTime() - idleSince >= time.toNanos()) {
        return;
      }
    }
  }

  private static boolean untilAsked(Hub hub, Duration atMost) {
    try {
      return hub.awaitShutdown(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void leave(Hub hub, HubLog log, PrintStream err) {
    List<RunId> left = hub.leave();
    String runs = left.stream().map(RunId::value).collect(Collectors.joining(", "));
    String words =
        left.isEmpty()
            ? "hub stopped"
            : "hub stopped; the agents of these runs keep running: " + runs;
    log.say(words);
    if (!left.isEmpty()) {
      say(err, "midcourse: " + words);
    }
    log.finish();
  }

  private static void say(PrintStream to, String line) {
    to.print(line + "\n");
    to.flush();
  }
}
