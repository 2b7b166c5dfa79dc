package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a key does to the board, in each of its modes. Nothing is stopped or allowed by one key. */
final class Keys {
  private static final int PAGE = 10;

  Step on(Board board, Key key) {
    if (key == Key.Named.QUIT) {
      return Step.to(board, new Wish.Leave());
    }
    if (key == Key.Named.REDRAW) {
      return Step.to(board, new Wish.Redraw());
    }
    return switch (board.mode()) {
      case Mode.Browsing() -> browsing(board.saying(Board.Notice.NONE), key);
      case Mode.Log(int back) -> log(board, back, key);
      case Mode.Pending(int index) -> pending(board, index, key);
      case Mode.Help() -> Step.to(board.in(Mode.BROWSING));
      case Mode.Line line -> line(board, line, key);
      case Mode.Stopping(String run) -> stopping(board, run, key);
      case Mode.Answering asked -> answering(board, asked, key);
    };
  }

  private static Step browsing(Board board, Key key) {
    return switch (key) {
      case Key.Letter(String letter) -> browsing(board, letter);
      case Key.Paste(String _) -> Step.to(board.saying(Ink.DIM, "s steers; then paste"));
      case Key.Named named ->
          switch (named) {
            case UP -> moved(board, -1);
            case DOWN -> moved(board, 1);
            case PAGE_UP -> moved(board, -PAGE);
            case PAGE_DOWN -> moved(board, PAGE);
            case HOME -> moved(board, -board.runs().size());
            case END -> moved(board, board.runs().size());
            case ENTER -> onTheChosen(board, run -> Step.to(board.in(new Mode.Log(0))));
            case ESCAPE -> Step.to(board.withFilter(""));
            case TAB,
                BACKSPACE,
                DELETE,
                LEFT,
                RIGHT,
                CLEAR_LINE,
                CLEAR_WORD,
                EDITOR,
                REDRAW,
                QUIT,
                NOTHING ->
                Step.to(board);
          };
    };
  }

  private static Step browsing(Board board, String letter) {
    return switch (letter) {
      case "j" -> moved(board, 1);
      case "k" -> moved(board, -1);
      case "g" -> moved(board, -board.runs().size());
      case "G" -> moved(board, board.runs().size());
      case "s" -> typed(board, "steer");
      case "i" -> typed(board, "interrupt");
      case "f" -> typed(board, "follow_up");
      case "e" ->
          onTheLive(
              board,
              run ->
                  Step.to(board, new Wish.Write(line(new Purpose.Steer(run.id(), "steer"), ""))));
      case "x" -> onTheLive(board, run -> Step.to(board.in(new Mode.Stopping(run.id()))));
      case "r" -> onTheChosen(board, run -> restart(board, run));
      case "a" -> onTheChosen(board, run -> answer(board, run));
      case "p" -> onTheChosen(board, run -> Step.to(board.in(new Mode.Pending(0))));
      case "/" -> Step.to(board.in(line(new Purpose.Filter(), board.filter())));
      case "?", "h" -> Step.to(board.in(new Mode.Help()));
      case "q" -> Step.to(board, new Wish.Leave());
      default -> Step.to(board);
    };
  }

  private static Step moved(Board board, int by) {
    List<RunInfo> visible = board.visible();
    if (visible.isEmpty()) {
      return Step.to(board);
    }
    List<String> ids = visible.stream().map(RunInfo::id).toList();
    int to = Math.clamp(ids.indexOf(board.chosen()) + by, 0, ids.size() - 1);
    String id = ids.get(to);
    return id.equals(board.chosen())
        ? Step.to(board)
        : new Step(board.choosing(id), Update.aboutTheChosen(id));
  }

  private interface OnRun {
    Step apply(RunInfo run);
  }

  private static Step onTheChosen(Board board, OnRun then) {
    return board
        .chosenRun()
        .map(then::apply)
        .orElseGet(() -> Step.to(board.saying(Ink.YELLOW, "there is no run to choose")));
  }

  private static Step onTheLive(Board board, OnRun then) {
    return onTheChosen(
        board,
        run ->
            run.live()
                ? then.apply(run)
                : Step.to(
                    board.saying(
                        Ink.YELLOW, run.id() + " has ended (" + run.state() + "); r restarts it")));
  }

  private static Step typed(Board board, String mode) {
    return onTheLive(board, run -> Step.to(board.in(line(new Purpose.Steer(run.id(), mode), ""))));
  }

  private static Step restart(Board board, RunInfo run) {
    return run.live()
        ? Step.to(board.saying(Ink.YELLOW, run.id() + " is at work; steer it, or stop it first"))
        : Step.to(board.in(line(new Purpose.Restart(run.id()), run.prompt())));
  }

  /** What it asks may not be known yet; then the answer waits for the question. */
  private static Step answer(Board board, RunInfo run) {
    List<JsonValue.Obj> asks = board.about().asks();
    if (asks.isEmpty()
        && run.text("needs").map(Need::parse).filter(Need.Answer.class::isInstance).isEmpty()) {
      return Step.to(board.saying(Ink.YELLOW, run.id() + " asks nothing now"));
    }
    Board next = board.in(Mode.Answering.of(run.id(), asks));
    return asks.isEmpty() ? Step.to(next, new Wish.LoadAsks(run.id())) : Step.to(next);
  }

  private static Mode.Line line(Purpose purpose, String text) {
    return new Mode.Line(purpose, Typing.of(text));
  }

  private static Step log(Board board, int back, Key key) {
    int by =
        switch (key) {
          case Key.Letter(String letter) ->
              switch (letter) {
                case "k" -> 1;
                case "j" -> -1;
                case " " -> -PAGE;
                case "b" -> PAGE;
                case "g" -> board.about().events().size();
                case "G" -> -back;
                default -> 0;
              };
          case Key.Paste(String _) -> 0;
          case Key.Named named ->
              named == Key.Named.UP
                  ? 1
                  : named == Key.Named.DOWN
                      ? -1
                      : named == Key.Named.PAGE_UP
                          ? PAGE
                          : named == Key.Named.PAGE_DOWN ? -PAGE : 0;
        };
    return leaves(key) || key == Key.Named.ENTER
        ? Step.to(board.in(Mode.BROWSING))
        : Step.to(
            board.in(
                new Mode.Log(
                    Math.clamp(back + by, 0, Math.max(0, board.about().events().size() - 1)))));
  }

  private static Step pending(Board board, int index, Key key) {
    List<ReceiptInfo> open = board.about().open();
    if (leaves(key) || key == Key.Named.ENTER) {
      return Step.to(board.in(Mode.BROWSING));
    }
    int last = Math.max(0, open.size() - 1);
    int at = Math.clamp(index, 0, last);
    if (key == Key.Named.DOWN || isLetter(key, "j")) {
      return Step.to(board.in(new Mode.Pending(Math.min(last, at + 1))));
    }
    if (key == Key.Named.UP || isLetter(key, "k")) {
      return Step.to(board.in(new Mode.Pending(Math.max(0, at - 1))));
    }
    if (open.isEmpty()) {
      return Step.to(board);
    }
    ReceiptInfo steer = open.get(at);
    if (isLetter(key, "w")) {
      return Step.to(board, new Wish.Withdraw(steer.id()));
    }
    if (isLetter(key, "m")) {
      return Step.to(board, new Wish.Promote(steer.id()));
    }
    return isLetter(key, "e")
        ? Step.to(board.in(line(new Purpose.Edit(steer.run(), steer.id()), steer.steerText())))
        : Step.to(board);
  }

  private Step line(Board board, Mode.Line line, Key key) {
    if (key == Key.Named.ESCAPE) {
      boolean filter = line.purpose() instanceof Purpose.Filter;
      return Step.to((filter ? board.withFilter("") : board).in(Mode.BROWSING));
    }
    if (key == Key.Named.ENTER) {
      return sent(board, line);
    }
    if (key == Key.Named.EDITOR && !(line.purpose() instanceof Purpose.Filter)) {
      return Step.to(board, new Wish.Write(line));
    }
    Mode.Line next = new Mode.Line(line.purpose(), line.typing().after(key));
    Board typed = board.in(next);
    return Step.to(
        line.purpose() instanceof Purpose.Filter ? typed.withFilter(next.typing().text()) : typed);
  }

  /** What a finished line asks for. */
  Step sent(Board board, Mode.Line line) {
    String text = line.typing().text().strip();
    Board done = board.in(Mode.BROWSING);
    Optional<String> words = text.isEmpty() ? Optional.empty() : Optional.of(text);
    List<Wish> wishes = new ArrayList<>();
    switch (line.purpose()) {
      case Purpose.Steer(String run, String mode) ->
          words.ifPresent(some -> wishes.add(new Wish.Steer(run, mode, some)));
      case Purpose.Restart(String run) ->
          wishes.add(
              new Wish.Restart(
                  run,
                  words.filter(
                      some -> !board.run(run).map(RunInfo::prompt).orElse("").equals(some))));
      case Purpose.Answer(String run, String ask) ->
          words.ifPresent(some -> wishes.add(new Wish.Answer(run, ask, some)));
      case Purpose.Edit(String _, String steer) ->
          words.ifPresent(some -> wishes.add(new Wish.Edit(steer, some)));
      case Purpose.Filter() -> done = done.withFilter(text);
    }
    return new Step(done, wishes);
  }

  private static Step stopping(Board board, String run, Key key) {
    Board back = board.in(Mode.BROWSING);
    return isLetter(key, "y")
        ? Step.to(back.saying(Ink.YELLOW, "stopping " + run), new Wish.Stop(run))
        : Step.to(back.saying(Ink.DIM, run + " goes on"));
  }

  private static Step answering(Board board, Mode.Answering asked, Key key) {
    Board back = board.in(Mode.BROWSING);
    if (asked.ask().isEmpty()) {
      return Step.to(key == Key.Named.ESCAPE ? back : board);
    }
    if (isLetter(key, "y")) {
      return Step.to(back, new Wish.Answer(asked.run(), asked.ask(), "allow"));
    }
    if (isLetter(key, "n")) {
      return Step.to(back, new Wish.Answer(asked.run(), asked.ask(), "deny"));
    }
    return isLetter(key, "t")
        ? Step.to(board.in(line(new Purpose.Answer(asked.run(), asked.ask()), "")))
        : Step.to(back.saying(Ink.DIM, "not answered"));
  }

  private static boolean leaves(Key key) {
    return key == Key.Named.ESCAPE || isLetter(key, "q");
  }

  private static boolean isLetter(Key key, String letter) {
    return key instanceof Key.Letter(String text) && text.equals(letter);
  }
}
