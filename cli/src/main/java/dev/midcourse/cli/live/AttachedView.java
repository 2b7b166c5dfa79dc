package dev.midcourse.cli.live;

import dev.midcourse.cli.client.AnswerRequest;
import dev.midcourse.cli.client.DeliveryDelay;
import dev.midcourse.cli.client.IdempotencyKeys;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.screen.TextWrap;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.AskAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The view of a live run at a terminal. Events scroll, each typed line is a steer whose rungs
 * appear among the events, and the last row shows the current activity. Detaching never ends the
 * run; only a stop does.
 */
public final class AttachedView {
  private static final Duration RESEND = Duration.ofSeconds(20);

  /** The rows of the screen that earlier events leave free: heading, question, input, status. */
  private static final int RESERVED_ROWS = 6;

  private static final int MIN_EARLIER_ROWS = 5;

  /** The reason why the view ended. */
  public enum Parting {
    RUN_ENDED,
    DETACHED
  }

  private final ShellContext shell;
  private final TerminalOutput page;
  private final FollowedRun following;
  private final StatusLine status;
  private final PromptTerminal terminal;
  private final ActivityLines lines;
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private boolean asked;

  private AttachedView(ShellContext shell, FollowedRun following, PromptTerminal terminal) {
    this.shell = shell;
    this.page = shell.page();
    this.following = following;
    this.terminal = terminal;
    this.status = new StatusLine(following.began(shell), page.glyphs());
    this.lines = new ActivityLines(page, following.began(shell));
  }

  /** Returns whether the terminal can be written to in more than one place. */
  public static boolean possible(ShellContext shell) {
    String type = shell.variable("TERM").orElse("dumb");
    return shell.interactive() && !type.equals("dumb");
  }

  public static Parting stay(ShellContext shell, FollowedRun following)
      throws IOException, InterruptedException {
    try (PromptTerminal terminal = PromptTerminal.open()) {
      return new AttachedView(shell, following, terminal).stay();
    }
  }

  private Parting stay() throws InterruptedException {
    Thread listener = new Thread(this::listen, "midcourse-listener");
    listener.setDaemon(true);
    following.announceTo(terminal::print);
    status.see(following.run());
    showEarlier();
    listener.start();
    try {
      terminal.show(() -> status.line(shell.clock().instant()));
      while (true) {
        PromptTerminal.Input input = terminal.read();
        Optional<Parting> parting =
            switch (input) {
              case PromptTerminal.Input.Words(String line) ->
                  isAnswerWithoutCommand(line)
                      ? refuseAnswerAsSteer(line)
                      : typed(TypedCommand.parse(line));
              case PromptTerminal.Input.Interrupt() -> interrupted();
              case PromptTerminal.Input.EndOfInput() -> Optional.of(Parting.DETACHED);
              case PromptTerminal.Input.Closed(String unsent) -> {
                notSent(unsent);
                yield Optional.of(Parting.RUN_ENDED);
              }
            };
        if (parting.isPresent()) {
          return parting.get();
        }
      }
    } finally {
      following.close();
      listener.join(Duration.ofSeconds(1));
    }
  }

  /** Shows the last screenful of what happened, then the open questions. */
  private void showEarlier() {
    int rows = Math.max(MIN_EARLIER_ROWS, shell.terminals().rows() - RESERVED_ROWS);
    List<JsonValue.Obj> asks = following.openAsks();
    lines.tail(following.earlierWithout(asks), rows).forEach(terminal::print);
    for (JsonValue.Obj ask : asks) {
      status.seeOpen(ask);
      lines.of(AskHint.asEvent(ask)).forEach(terminal::print);
      terminal.print(lines.below(AskHint.typed(ask)));
    }
  }

  private void listen() {
    try {
      Optional<JsonValue.Obj> event = following.next();
      while (event.isPresent()) {
        status.see(event.get());
        lines.of(withoutTypedText(event.get())).forEach(terminal::print);
        if (event.get().text("kind").orElse("").equals("asked")) {
          terminal.print(lines.below(AskHint.typed(event.get())));
        }
        if (following.ends(event.get())) {
          terminal.end();
          return;
        }
        event = following.next();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Failure e) {
      complain(e);
      terminal.end();
    }
  }

  /** Removes the text of a steer that was typed here, because it stands one line above. */
  private JsonValue.Obj withoutTypedText(JsonValue.Obj event) {
    boolean own =
        event.text("kind").orElse("").equals("steer_stored")
            && sent.remove(event.text("text").orElse(""));
    return own ? event.with("text", "") : event;
  }

  /**
   * A line without a slash is a steer, and a steer never answers. A person who types only "yes"
   * while the agent waits for approval means the answer, so it is not sent as a steer.
   */
  private boolean isAnswerWithoutCommand(String line) {
    return status
        .openAsk()
        .filter(ask -> AnswerRequest.kind(ask) == AskKind.PERMISSION)
        .filter(ask -> AskAnswer.isDecision(line))
        .isPresent();
  }

  private Optional<Parting> refuseAnswerAsSteer(String line) {
    asked = false;
    say(
        TextColor.YELLOW,
        "Not sent: type /allow or /deny to answer, or /steer "
            + TextSanitizer.line(line.strip())
            + " to send it as a steer");
    return Optional.empty();
  }

  private Optional<Parting> typed(TypedCommand typed) throws InterruptedException {
    asked = false;
    try {
      return switch (typed) {
        case TypedCommand.Blank() -> Optional.empty();
        case TypedCommand.Steer(String mode, String text) -> {
          steer(mode, text);
          yield Optional.empty();
        }
        case TypedCommand.Reply(String answer, String why) -> {
          reply(answer, why);
          yield Optional.empty();
        }
        case TypedCommand.Stop() -> {
          stop();
          yield Optional.empty();
        }
        case TypedCommand.Detach() -> Optional.of(Parting.DETACHED);
        case TypedCommand.Help() -> {
          TypedCommand.HELP.lines().forEach(terminal::print);
          yield Optional.empty();
        }
        case TypedCommand.Wrong(String what) -> {
          say(TextColor.RED, what);
          yield Optional.empty();
        }
      };
    } catch (Failure e) {
      complain(e);
      return Optional.empty();
    }
  }

  private Optional<Parting> interrupted() {
    if (!asked) {
      asked = true;
      say(TextColor.YELLOW, "Press Ctrl-C again to stop the run, or Ctrl-D to detach");
      return Optional.empty();
    }
    try {
      stop();
    } catch (Failure e) {
      complain(e);
    }
    return Optional.empty();
  }

  private void steer(String mode, String text) throws InterruptedException {
    sent.add(text);
    JsonValue.Obj request =
        JsonValue.Obj.EMPTY
            .with("text", text)
            .with("mode", mode)
            .with("key", IdempotencyKeys.random());
    try {
      ReceiptInfo receipt =
          new ReceiptInfo(following.hub().postWithKey(path() + "/steers", request, RESEND));
      DeliveryDelay.of(following.hub(), receipt)
          .ifPresent(
              why -> say(TextColor.YELLOW, "steer " + receipt.shortId() + " pending " + why));
    } catch (Failure e) {
      sent.remove(text);
      throw e;
    }
  }

  private void reply(String answer, String why) {
    JsonValue.Obj ask =
        status
            .openAsk()
            .orElseThrow(
                () -> Failure.of(ExitCode.NOT_FOUND, "the agent is not waiting for an answer", ""));
    AskAnswer meant =
        AnswerRequest.parse(ask, answer, why.isEmpty() ? Optional.empty() : Optional.of(why));
    following
        .hub()
        .post(
            path() + "/asks/" + HttpRequest.encoded(ask.text("ask").orElse("")),
            AnswerRequest.of(meant));
  }

  private void stop() {
    following.hub().post(path() + "/stop", JsonValue.Obj.EMPTY);
  }

  private void notSent(String unsent) {
    if (!unsent.isBlank()) {
      terminal.print(page.paint(TextColor.YELLOW, "Not sent, the run has ended: ") + unsent);
    }
  }

  private String path() {
    return "/runs/" + HttpRequest.encoded(following.run().id());
  }

  private void complain(Failure failure) {
    say(TextColor.RED, failure.what());
    if (!failure.remedy().isBlank()) {
      say(TextColor.PLAIN, "  " + failure.remedy());
    }
  }

  /** Prints a sentence of this view, broken between words. The text must be sanitized. */
  private void say(TextColor color, String text) {
    TextWrap.rows(text, page.columns(), Integer.MAX_VALUE)
        .forEach(row -> terminal.print(page.paint(color, row)));
  }
}
