package dev.midcourse.cli.chat;

import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.live.PromptTerminal;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A chat at a terminal: messages scroll, the last row shows what became of the newest own message,
 * and each typed line is a message. In a pipe, each line of the input is a message, and each
 * message of others that comes after the start is printed.
 */
public final class ChatView {
  private static final int EARLIER_MESSAGES = 20;
  private static final String HINT = "/? lists the commands, Ctrl-D leaves";
  private static final String ROOM_HINT =
      "People read everything here; the workers get messages with @midcourse and replies to them";

  private final ShellContext shell;
  private final TerminalOutput page;
  private final ChatClient client;
  private final ChatLog log;

  /** The chat with Midcourse alone, whose cards are shown in a room too. */
  private final ChatLog own;

  /** Whether the newest card is in the chat with Midcourse alone. */
  private volatile boolean ownCardIsNewest;

  private final CountDownLatch ready = new CountDownLatch(1);

  private ChatView(ShellContext shell, ChatClient client) {
    this.shell = shell;
    this.page = shell.page();
    this.client = client;
    this.log = new ChatLog(page, client.user());
    this.own = new ChatLog(page, client.user(), Optional.of("(to you alone)"));
  }

  /**
   * Shows the chat until the user leaves.
   *
   * @param atMost how long to wait for the answer after the end of the input of a pipe
   */
  static void show(ShellContext shell, ChatClient client, Duration atMost)
      throws IOException, InterruptedException {
    ChatView view = new ChatView(shell, client);
    String type = shell.variable("TERM").orElse("dumb");
    if (shell.interactive() && !type.equals("dumb")) {
      view.atTerminal();
    } else {
      view.inPipe(atMost);
    }
  }

  private void atTerminal() throws IOException, InterruptedException {
    try (PromptTerminal terminal = PromptTerminal.open();
        EventFeed feed = client.feed(absence(terminal::print));
        EventFeed cards = client.alone().feed(absence(_ -> {}))) {
      terminal.stopEcho();
      Thread listener = listen(feed, terminal::print, false, EARLIER_MESSAGES);
      ready.await();
      terminal.print(page.paint(TextColor.DIM, HINT));
      if (client.room().isPresent()) {
        terminal.print(page.paint(TextColor.DIM, ROOM_HINT));
        Thread.ofPlatform()
            .name("midcourse-cards")
            .daemon()
            .start(() -> followCards(cards, terminal::print));
      }
      terminal.show(() -> place() + log.status());
      boolean stays = true;
      while (stays) {
        stays =
            switch (terminal.read()) {
              case PromptTerminal.Input.Words(String line) ->
                  typed(line, terminal::print, terminal::echo);
              case PromptTerminal.Input.Interrupt(),
                  PromptTerminal.Input.EndOfInput(),
                  PromptTerminal.Input.Closed(var _) ->
                  false;
            };
      }
      feed.close();
      listener.join(Duration.ofSeconds(1));
    }
  }

  private void inPipe(Duration atMost) throws IOException, InterruptedException {
    Consumer<String> print = line -> shell.page().line(line);
    try (EventFeed feed = client.feed(absence(line -> shell.notes().line(line)))) {
      Thread listener = listen(feed, print, true, 0);
      ready.await();
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8));
      String line = lines.readLine();
      while (line != null && typed(line, text -> shell.notes().line(text), _ -> {})) {
        line = lines.readLine();
      }
      log.awaitSettled(atMost);
      feed.close();
      listener.join(Duration.ofSeconds(1));
    }
  }

  private String place() {
    String where = client.room().map(room -> " in room " + room).orElse("");
    return client.user() + where + "  ";
  }

  private static EventFeed.Absence absence(Consumer<String> print) {
    return new EventFeed.Absence() {
      @Override
      public void begins() {
        print.accept("The hub does not answer; waiting for it. Nothing is lost.");
      }

      @Override
      public void ends() {
        print.accept("The hub answers again.");
      }
    };
  }

  /** Prints the last messages of the beginning, then everything that is new. */
  private Thread listen(
      EventFeed feed, Consumer<String> print, boolean withStatus, int earlierMessages) {
    Thread listener =
        new Thread(() -> follow(feed, print, withStatus, earlierMessages), "midcourse-chat");
    listener.setDaemon(true);
    listener.start();
    return listener;
  }

  private void follow(
      EventFeed feed, Consumer<String> print, boolean withStatus, int earlierMessages) {
    List<List<String>> earlier = new ArrayList<>();
    try {
      Optional<JsonValue.Obj> event = feed.next();
      while (event.isPresent()) {
        if (event.get().text("kind").orElse("").equals("ready")) {
          earlier.stream()
              .skip(Math.max(0, earlier.size() - earlierMessages))
              .flatMap(List::stream)
              .forEach(print);
          earlier.clear();
          ready.countDown();
        } else if (event.get().get("message").orElse(new JsonValue.Null())
            instanceof JsonValue.Obj message) {
          List<String> lines = log.take(message, withStatus);
          if (!ChatLog.buttons(message).isEmpty()) {
            ownCardIsNewest = false;
          }
          if (ready.getCount() > 0) {
            earlier.add(lines);
          } else {
            lines.forEach(print);
          }
        }
        event = feed.next();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      ready.countDown();
    }
  }

  /** Prints the cards of the chat with Midcourse alone, and what becomes of them. */
  private void followCards(EventFeed feed, Consumer<String> print) {
    Set<String> shown = new HashSet<>();
    try {
      Optional<JsonValue.Obj> event = feed.next();
      while (event.isPresent()) {
        if (event.get().get("message").orElse(new JsonValue.Null())
            instanceof JsonValue.Obj message) {
          List<String> lines = own.take(message, false);
          String id = message.text("id").orElse("");
          boolean isCard = !ChatLog.buttons(message).isEmpty();
          if (isCard) {
            ownCardIsNewest = true;
          }
          if (isCard ? shown.add(id) : shown.remove(id)) {
            lines.forEach(print);
          }
        }
        event = feed.next();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does what the line says; false if the user leaves. */
  private boolean typed(String line, Consumer<String> print, Consumer<String> echo)
      throws InterruptedException {
    ChatInput input = ChatInput.parse(line);
    if (!(input instanceof ChatInput.Message)) {
      echo.accept(line); // a message comes back with its number
    }
    try {
      switch (input) {
        case ChatInput.Blank() -> {}
        case ChatInput.Message(String text) -> client.write(text, Optional.empty());
        case ChatInput.Reply(int number, String text) ->
            client.write(text, Optional.of(message(number)));
        case ChatInput.Edit(int number, String text) -> client.edit(message(number), text);
        case ChatInput.Delete(int number) -> client.delete(message(number));
        case ChatInput.Choose(int button) -> print.accept(choose(button));
        case ChatInput.Help() -> ChatInput.HELP.lines().forEach(print);
        case ChatInput.Wrong(String what) -> print.accept(page.paint(TextColor.RED, what));
        case ChatInput.Leave() -> {
          return false;
        }
      }
    } catch (Failure e) {
      if (input instanceof ChatInput.Message) {
        echo.accept(line);
      }
      String remedy = e.remedy().isBlank() ? "" : " (" + e.remedy() + ")";
      print.accept(page.paint(TextColor.RED, "Not sent: " + e.what()) + remedy);
    }
    return true;
  }

  private String message(int number) {
    return log.id(number)
        .orElseThrow(() -> Failure.usage("there is no message " + number + " here", ""));
  }

  private String choose(int button) throws InterruptedException {
    boolean isOwn = (ownCardIsNewest && own.newestCard().isPresent()) || log.newestCard().isEmpty();
    JsonValue.Obj card =
        (isOwn ? own : log)
            .newestCard()
            .orElseThrow(() -> Failure.usage("no card waits for an answer", ""));
    List<JsonValue.Obj> buttons = ChatLog.buttons(card);
    if (button < 1 || button > buttons.size()) {
      throw Failure.usage("the newest card has the answers /1 to /" + buttons.size(), "");
    }
    return TextSanitizer.line(
        (isOwn ? client.alone() : client)
            .click(card.text("id").orElse(""), buttons.get(button - 1).text("id").orElse("")));
  }
}
