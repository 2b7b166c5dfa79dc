package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Shell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The loop of the full-screen view: takes messages as they come, updates the board, draws the
 * difference. One thread owns board and screen; the others only send messages.
 */
public final class Watch {
  /** The clocks on the screen go on, also when nothing happens. */
  private static final long TICK_MILLIS = 1000;

  /** Lets a person write something longer; the terminal is theirs meanwhile. */
  public interface Writer {
    String write(String name, String before) throws IOException, InterruptedException;
  }

  private final Shell shell;
  private final Writer writer;
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

  /** A key is read only when the one before it is done with: an editor may want the keyboard. */
  private final Semaphore nextKey = new Semaphore(1);

  private final Update update;
  private final Screen screen;
  private Board board = Board.EMPTY;

  public Watch(Shell shell, Writer writer) {
    Page page = shell.page();
    this.shell = shell;
    this.writer = writer;
    this.update = new Update(page.signs());
    this.screen = new Screen(page.signs());
  }

  /** Until somebody leaves it. */
  public void run(Hub hub) throws IOException, InterruptedException {
    boolean coloured = shell.page().coloured();
    try (HubSide side = HubSide.open(hub, messages::add);
        Console console = Console.open(coloured, () -> messages.add(new Message.Tick()))) {
      Thread keys = new Thread(() -> type(console.keyboard()), "midcourse-keys");
      keys.setDaemon(true);
      keys.start();
      boolean stays = true;
      while (stays) {
        draw(console);
        stays = take(side, console);
      }
    }
  }

  private void draw(Console console) {
    console.show(screen.draw(board, console.rows(), console.columns(), shell.clock().instant()));
  }

  /** Everything that has come, or one tick; returns whether to go on. */
  private boolean take(HubSide side, Console console) throws IOException, InterruptedException {
    List<Message> come = new ArrayList<>();
    Message first = messages.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
    come.add(first == null ? new Message.Tick() : first);
    messages.drainTo(come);
    for (Message message : come) {
      Step step = update.on(board, message);
      board = step.board();
      for (Wish wish : step.wishes()) {
        if (wish instanceof Wish.Leave) {
          return false;
        }
        grant(wish, side, console);
      }
      if (message instanceof Message.Pressed) {
        nextKey.release();
      }
    }
    return true;
  }

  private void grant(Wish wish, HubSide side, Console console)
      throws IOException, InterruptedException {
    switch (wish) {
      case Wish.Load load -> side.wish(load);
      case Wish.Act act -> side.wish(act);
      case Wish.Write(Mode.Line line) -> messages.add(written(line, console));
      case Wish.Redraw() -> console.forget();
      case Wish.Leave() -> {}
    }
  }

  private Message written(Mode.Line line, Console console)
      throws IOException, InterruptedException {
    try {
      String before = line.typing().text();
      String name = line.purpose() instanceof Purpose.Restart ? "prompt" : "text";
      return new Message.Wrote(line, console.outside(() -> writer.write(name, before)));
    } catch (Failure e) {
      return new Message.Trouble(e.what());
    }
  }

  private void type(Keyboard keyboard) {
    try {
      nextKey.acquire();
      Optional<Key> key = keyboard.next();
      while (key.isPresent()) {
        messages.add(new Message.Pressed(key.get()));
        nextKey.acquire();
        key = keyboard.next();
      }
    } catch (IOException | InterruptedException e) {
      // The terminal is gone; so is whoever sat there.
    }
    messages.add(new Message.Pressed(Key.Named.QUIT));
  }
}
