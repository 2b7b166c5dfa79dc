package dev.midcourse.cli.live;

import dev.midcourse.cli.client.Asks;
import dev.midcourse.cli.client.Delay;
import dev.midcourse.cli.client.Keys;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.net.Request;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stays with a run at a terminal: its news scroll by, a line that is typed is a steer whose receipt
 * climbs among the news, and the last line of the screen says what goes on. Leaving it never ends
 * the run; only a stop does.
 */
public final class Attached {
  private static final Duration RESEND = Duration.ofSeconds(20);

  /** How the stay ended. */
  public enum Parting {
    RUN_ENDED,
    DETACHED
  }

  private final Shell shell;
  private final Page page;
  private final Following following;
  private final StatusLine status;
  private final LineDesk desk;
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private boolean asked;

  private Attached(Shell shell, Following following, LineDesk desk) {
    this.shell = shell;
    this.page = shell.page();
    this.following = following;
    this.desk = desk;
    this.status = new StatusLine(following.began(shell), page.signs());
  }

  /** Whether the terminal is one that can be written to in more than one place. */
  public static boolean possible(Shell shell) {
    String type = shell.variable("TERM").orElse("dumb");
    return shell.interactive() && !type.equals("dumb");
  }

  public static Parting stay(Shell shell, Following following)
      throws IOException, InterruptedException {
    try (LineDesk desk = LineDesk.open()) {
      return new Attached(shell, following, desk).stay();
    }
  }

  private Parting stay() throws InterruptedException {
    Thread listener = new Thread(this::listen, "midcourse-listener");
    listener.setDaemon(true);
    following.announceTo(desk::print);
    status.see(following.run());
    listener.start();
    try {
      desk.show(() -> status.line(shell.clock().instant()));
      while (true) {
        LineDesk.Input input = desk.read();
        Optional<Parting> parting =
            switch (input) {
              case LineDesk.Input.Words(String line) -> typed(Typed.parse(line));
              case LineDesk.Input.Interrupt() -> interrupted();
              case LineDesk.Input.EndOfInput() -> Optional.of(Parting.DETACHED);
              case LineDesk.Input.Closed(String unsent) -> {
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

  private void listen() {
    News news = new News(page, following.began(shell));
    try {
      Optional<JsonValue.Obj> event = following.next();
      while (event.isPresent()) {
        status.see(event.get());
        news.of(withoutWhatWasTyped(event.get())).forEach(desk::print);
        if (following.ends(event.get())) {
          desk.end();
          return;
        }
        event = following.next();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Failure e) {
      desk.print(complaint(e));
      desk.end();
    }
  }

  /** The words stand one line above, where they were typed. */
  private JsonValue.Obj withoutWhatWasTyped(JsonValue.Obj event) {
    boolean own =
        event.text("kind").orElse("").equals("steer_stored")
            && sent.remove(event.text("text").orElse(""));
    return own ? event.with("text", "") : event;
  }

  private Optional<Parting> typed(Typed typed) throws InterruptedException {
    asked = false;
    try {
      return switch (typed) {
        case Typed.Blank() -> Optional.empty();
        case Typed.Steer(String mode, String text) -> {
          steer(mode, text);
          yield Optional.empty();
        }
        case Typed.Reply(String answer, String why) -> {
          reply(answer, why);
          yield Optional.empty();
        }
        case Typed.Stop() -> {
          stop();
          yield Optional.empty();
        }
        case Typed.Detach() -> Optional.of(Parting.DETACHED);
        case Typed.Help() -> {
          Typed.HELP.lines().forEach(desk::print);
          yield Optional.empty();
        }
        case Typed.Wrong(String what) -> {
          desk.print(page.paint(Ink.RED, what));
          yield Optional.empty();
        }
      };
    } catch (Failure e) {
      desk.print(complaint(e));
      return Optional.empty();
    }
  }

  private Optional<Parting> interrupted() {
    if (!asked) {
      asked = true;
      desk.print(page.paint(Ink.YELLOW, "Ctrl-C again stops the run; Ctrl-D leaves it at work"));
      return Optional.empty();
    }
    try {
      stop();
    } catch (Failure e) {
      desk.print(complaint(e));
    }
    return Optional.empty();
  }

  private void steer(String mode, String text) throws InterruptedException {
    sent.add(text);
    JsonValue.Obj request =
        JsonValue.Obj.EMPTY.with("text", text).with("mode", mode).with("key", Keys.random());
    try {
      ReceiptInfo receipt =
          new ReceiptInfo(following.hub().postWithKey(path() + "/steers", request, RESEND));
      Delay.of(following.hub(), receipt)
          .ifPresent(why ->
              desk.print(page.paint(Ink.YELLOW, "steer " + receipt.shortId() + " waits " + why)));
    } catch (Failure e) {
      sent.remove(text);
      throw e;
    }
  }

  private void reply(String answer, String why) {
    String ask = Asks.only(following.hub(), following.run().id());
    JsonValue.Obj request = JsonValue.Obj.EMPTY.with("answer", answer);
    following
        .hub()
        .post(
            path() + "/asks/" + Request.encoded(ask),
            why.isEmpty() ? request : request.with("why", why));
  }

  private void stop() {
    following.hub().post(path() + "/stop", JsonValue.Obj.EMPTY);
  }

  private void notSent(String unsent) {
    if (!unsent.isBlank()) {
      desk.print(page.paint(Ink.YELLOW, "the run ended before this was sent: ") + unsent);
    }
  }

  private String path() {
    return "/runs/" + Request.encoded(following.run().id());
  }

  private String complaint(Failure failure) {
    String remedy = failure.remedy().isBlank() ? "" : " (" + failure.remedy() + ")";
    return page.paint(Ink.RED, failure.what()) + remedy;
  }
}
