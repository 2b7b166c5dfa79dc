package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.watch.model.Effect;
import dev.midcourse.cli.watch.model.InputPurpose;
import dev.midcourse.cli.watch.model.Key;
import dev.midcourse.cli.watch.model.Message;
import dev.midcourse.cli.watch.model.Model;
import dev.midcourse.cli.watch.model.Next;
import dev.midcourse.cli.watch.model.Update;
import dev.midcourse.cli.watch.model.ViewMode;
import dev.midcourse.cli.watch.view.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The loop of the full-screen view: takes messages, updates the model, draws the difference. One
 * thread owns the model and the screen; the other threads only send messages.
 */
public final class WatchLoop {
  /** The screen is redrawn at least this often, so that its clocks advance. */
  private static final long TICK_MILLIS = 1000;

  /** Opens an editor for a long text. The editor owns the terminal meanwhile. */
  public interface Writer {
    String write(String name, String before) throws IOException, InterruptedException;
  }

  private final ShellContext shell;
  private final Writer writer;
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

  /**
   * The next key is read only after the previous key was handled, because an editor may need the
   * keyboard.
   */
  private final Semaphore nextKey = new Semaphore(1);

  private final Update update;
  private final Screen screen;
  private Model model = Model.EMPTY;

  public WatchLoop(ShellContext shell, Writer writer) {
    TerminalOutput page = shell.page();
    this.shell = shell;
    this.writer = writer;
    this.update = new Update(page.glyphs());
    this.screen = new Screen(page.glyphs());
  }

  /** Runs until the user leaves the view. */
  public void run(HubClient hub) throws IOException, InterruptedException {
    boolean coloured = shell.page().coloured();
    try (EffectRunner side = EffectRunner.open(hub, messages::add);
        FullScreenTerminal console =
            FullScreenTerminal.open(coloured, () -> messages.add(new Message.Tick()))) {
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

  private void draw(FullScreenTerminal console) {
    console.show(screen.draw(model, console.rows(), console.columns(), shell.clock().instant()));
  }

  /**
   * Handles all waiting messages, or one tick if none arrives; returns false when the user leaves.
   */
  private boolean take(EffectRunner side, FullScreenTerminal console)
      throws IOException, InterruptedException {
    List<Message> come = new ArrayList<>();
    Message first = messages.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
    come.add(first == null ? new Message.Tick() : first);
    messages.drainTo(come);
    for (Message message : come) {
      Next step = update.on(model, message);
      model = step.model();
      for (Effect effect : step.effects()) {
        if (effect instanceof Effect.Leave) {
          return false;
        }
        grant(effect, side, console);
      }
      if (message instanceof Message.Pressed) {
        nextKey.release();
      }
    }
    return true;
  }

  private void grant(Effect effect, EffectRunner side, FullScreenTerminal console)
      throws IOException, InterruptedException {
    switch (effect) {
      case Effect.Load load -> side.submit(load);
      case Effect.Act act -> side.submit(act);
      case Effect.Write(ViewMode.Line line) -> messages.add(written(line, console));
      case Effect.Redraw() -> console.forget();
      case Effect.Leave() -> {}
    }
  }

  private Message written(ViewMode.Line line, FullScreenTerminal console)
      throws IOException, InterruptedException {
    try {
      String before = line.typing().text();
      String name = line.purpose() instanceof InputPurpose.Restart ? "prompt" : "text";
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
      // The terminal was closed.
    }
    messages.add(new Message.Pressed(Key.Named.QUIT));
  }
}
