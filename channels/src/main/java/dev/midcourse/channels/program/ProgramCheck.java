package dev.midcourse.channels.program;

import dev.midcourse.channels.kind.ChannelCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The conformance test of a channel program, which {@code midcourse channel test} runs: it says
 * hello, answers a ping, ignores a line that it does not know, and ends when its input ends.
 */
final class ProgramCheck {
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ProgramSettings settings;
  private final Duration timeout;
  private final List<ChannelCheck> checks = new ArrayList<>();

  /**
   * @param timeout how long each answer of the program is waited for
   */
  ProgramCheck(ProgramSettings settings, Duration timeout) {
    this.settings = settings;
    this.timeout = timeout;
  }

  List<ChannelCheck> run() {
    try {
      ProgramProcess program = ProgramProcess.start(settings);
      try {
        if (saysHello(program)) {
          answersPing(program);
        }
      } finally {
        boolean ended = program.stop();
        if (noneFailed()) {
          checks.add(
              ended
                  ? ChannelCheck.ok("It ends when its input ends.")
                  : ChannelCheck.failed(
                      "It goes on when its input ends.",
                      "End the program at the end of its standard input."));
        }
      }
    } catch (IOException e) {
      checks.add(
          ChannelCheck.failed(
              "It cannot be run: " + e.getMessage(), "Try the command in a shell first."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      checks.add(ChannelCheck.failed("The check was interrupted.", "Run it again."));
    }
    return List.copyOf(checks);
  }

  private boolean noneFailed() {
    return checks.stream().noneMatch(check -> check.result() == ChannelCheck.Result.FAILED);
  }

  private boolean saysHello(ProgramProcess program) throws IOException, InterruptedException {
    Optional<String> line = program.next(timeout);
    return switch (line.map(ProgramLine::read).orElse(new ProgramLine.Other("nothing"))) {
      case ProgramLine.Hello(Optional<String> account) -> {
        checks.add(
            ChannelCheck.ok("It says hello" + account.map(who -> ", as " + who).orElse("") + "."));
        yield true;
      }
      case ProgramLine.Stopped(String reason, String remedy) -> {
        checks.add(ChannelCheck.failed("It has stopped: " + reason + ".", remedy));
        yield false;
      }
      case ProgramLine _ -> {
        checks.add(
            ChannelCheck.failed(
                line.isEmpty()
                    ? "It wrote nothing within " + timeout.toSeconds() + " s."
                    : "Its first line is not a hello.",
                "Write {\"type\": \"hello\"} and a line end first, and flush the output."));
        yield false;
      }
    };
  }

  /** Updates of the platform may come before the answer; they are not taken and come again. */
  private void answersPing(ProgramProcess program) throws IOException, InterruptedException {
    program.write("{\"type\":\"a type of a later version\"}");
    program.write("{\"type\":\"ping\"}");
    for (int lines = 0; lines < 1_000; lines++) {
      Optional<String> line = program.next(timeout);
      if (line.isEmpty()) {
        break;
      }
      if (ProgramLine.read(line.get()) instanceof ProgramLine.Pong) {
        checks.add(ChannelCheck.ok("It answers a ping, and ignores a line that it does not know."));
        return;
      }
    }
    checks.add(
        ChannelCheck.failed(
            "It does not answer a ping.",
            "Answer {\"type\": \"ping\"} with {\"type\": \"pong\"}, and ignore unknown types."));
  }
}
