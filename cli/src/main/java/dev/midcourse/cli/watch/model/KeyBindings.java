package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Maps a key to a change of the model, for each mode. No single key stops a run, answers a
 * permission request or decides an approval.
 */
final class KeyBindings {
  private static final int PAGE = 10;

  Next on(Model model, Key key) {
    if (key == Key.Named.QUIT) {
      return Next.to(model, new Effect.Leave());
    }
    if (key == Key.Named.REDRAW) {
      return Next.to(model, new Effect.Redraw());
    }
    return switch (model.mode()) {
      case ViewMode.Browsing() -> browsing(model.saying(Model.Notice.NONE), key);
      case ViewMode.Log(int back) -> log(model, back, key);
      case ViewMode.Pending(int index) -> pending(model, index, key);
      case ViewMode.Help() -> Next.to(model.in(ViewMode.BROWSING));
      case ViewMode.Line line -> line(model, line, key);
      case ViewMode.Stopping(String run) -> stopping(model, run, key);
      case ViewMode.Answering asked -> answering(model, asked, key);
      case ViewMode.Loops view -> LoopKeys.on(model.saying(Model.Notice.NONE), view, key);
      case ViewMode.Approving view -> ApprovalKeys.on(model.saying(Model.Notice.NONE), view, key);
    };
  }

  private static Next browsing(Model model, Key key) {
    return switch (key) {
      case Key.Typed(String message) -> browsing(model, message);
      case Key.Paste(String _) ->
          Next.to(model.saying(TextColor.DIM, "press s to steer, then paste"));
      case Key.Named named ->
          switch (named) {
            case UP -> moved(model, -1);
            case DOWN -> moved(model, 1);
            case PAGE_UP -> moved(model, -PAGE);
            case PAGE_DOWN -> moved(model, PAGE);
            case HOME -> moved(model, -model.runs().size());
            case END -> moved(model, model.runs().size());
            case ENTER -> onChosenRun(model, run -> Next.to(model.in(new ViewMode.Log(0))));
            case ESCAPE -> Next.to(model.withFilter(""));
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
                Next.to(model);
          };
    };
  }

  private static Next browsing(Model model, String message) {
    return switch (message) {
      case "j" -> moved(model, 1);
      case "k" -> moved(model, -1);
      case "g" -> moved(model, -model.runs().size());
      case "G" -> moved(model, model.runs().size());
      case "s" -> typed(model, "steer");
      case "i" -> typed(model, "interrupt");
      case "f" -> typed(model, "follow_up");
      case "e" ->
          onLiveRun(
              model,
              run ->
                  Next.to(
                      model,
                      new Effect.Write(line(new InputPurpose.Steer(run.id(), "steer"), ""))));
      case "x" -> onLiveRun(model, run -> Next.to(model.in(new ViewMode.Stopping(run.id()))));
      case "r" -> onChosenRun(model, run -> restart(model, run));
      case "a" -> onChosenRun(model, run -> answer(model, run));
      case "d" -> onChosenRun(model, run -> denyOrDismiss(model, run));
      case "p" -> onChosenRun(model, run -> Next.to(model.in(new ViewMode.Pending(0))));
      case "A" -> ApprovalKeys.open(model);
      case "l" -> LoopKeys.open(model);
      case "/" -> Next.to(model.in(line(new InputPurpose.Filter(), model.filter())));
      case "?", "h" -> Next.to(model.in(new ViewMode.Help()));
      case "q" -> Next.to(model, new Effect.Leave());
      default -> Next.to(model);
    };
  }

  private static Next moved(Model model, int by) {
    List<RunInfo> visible = model.visible();
    if (visible.isEmpty()) {
      return Next.to(model);
    }
    List<String> ids = visible.stream().map(RunInfo::id).toList();
    int to = Math.clamp(ids.indexOf(model.chosen()) + by, 0, ids.size() - 1);
    String id = ids.get(to);
    return id.equals(model.chosen())
        ? Next.to(model)
        : new Next(model.choosing(id), Update.loadRun(id));
  }

  private interface OnRun {
    Next apply(RunInfo run);
  }

  private static Next onChosenRun(Model model, OnRun then) {
    return model
        .chosenRun()
        .map(then::apply)
        .orElseGet(() -> Next.to(model.saying(TextColor.YELLOW, "no run selected")));
  }

  private static Next onLiveRun(Model model, OnRun then) {
    return onChosenRun(
        model,
        run ->
            run.live()
                ? then.apply(run)
                : Next.to(
                    model.saying(
                        TextColor.YELLOW,
                        run.id() + " has ended (" + run.state() + "); press r to restart it")));
  }

  private static Next typed(Model model, String mode) {
    return onLiveRun(
        model, run -> Next.to(model.in(line(new InputPurpose.Steer(run.id(), mode), ""))));
  }

  private static Next restart(Model model, RunInfo run) {
    return run.live()
        ? Next.to(model.saying(TextColor.YELLOW, run.id() + " is live; steer it, or stop it first"))
        : Next.to(model.in(line(new InputPurpose.Restart(run.id()), run.prompt())));
  }

  /** Opens the answer mode. If the question is not loaded yet, it is loaded first. */
  private static Next answer(Model model, RunInfo run) {
    List<JsonValue.Obj> asks = model.about().asks();
    if (!waitsForAnswer(model, run)) {
      return Next.to(model.saying(TextColor.YELLOW, run.id() + " is not waiting for an answer"));
    }
    Model next = model.in(ViewMode.Answering.of(run.id(), asks));
    return asks.isEmpty() ? Next.to(next, new Effect.LoadAsks(run.id())) : Next.to(next);
  }

  /** On the page this key denies; a question of the agent is never an alarm to dismiss. */
  private static Next denyOrDismiss(Model model, RunInfo run) {
    return waitsForAnswer(model, run)
        ? answer(model, run)
        : Next.to(model, new Effect.Dismiss(run.id()));
  }

  private static boolean waitsForAnswer(Model model, RunInfo run) {
    return !model.about().asks().isEmpty()
        || run.text("needs").map(Need::parse).filter(Need.Answer.class::isInstance).isPresent();
  }

  private static ViewMode.Line line(InputPurpose purpose, String text) {
    return new ViewMode.Line(purpose, InputLine.of(text));
  }

  private static Next log(Model model, int back, Key key) {
    int by =
        switch (key) {
          case Key.Typed(String message) ->
              switch (message) {
                case "k" -> 1;
                case "j" -> -1;
                case " " -> -PAGE;
                case "b" -> PAGE;
                case "g" -> model.about().events().size();
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
        ? Next.to(model.in(ViewMode.BROWSING))
        : Next.to(
            model.in(
                new ViewMode.Log(
                    Math.clamp(back + by, 0, Math.max(0, model.about().events().size() - 1)))));
  }

  private static Next pending(Model model, int index, Key key) {
    List<ReceiptInfo> open = model.about().open();
    if (leaves(key) || key == Key.Named.ENTER) {
      return Next.to(model.in(ViewMode.BROWSING));
    }
    int last = Math.max(0, open.size() - 1);
    int at = Math.clamp(index, 0, last);
    if (key == Key.Named.DOWN || isTyped(key, "j")) {
      return Next.to(model.in(new ViewMode.Pending(Math.min(last, at + 1))));
    }
    if (key == Key.Named.UP || isTyped(key, "k")) {
      return Next.to(model.in(new ViewMode.Pending(Math.max(0, at - 1))));
    }
    if (open.isEmpty()) {
      return Next.to(model);
    }
    ReceiptInfo steer = open.get(at);
    if (isTyped(key, "w")) {
      return Next.to(model, new Effect.Withdraw(steer.id()));
    }
    if (isTyped(key, "m")) {
      return Next.to(model, new Effect.Promote(steer.id()));
    }
    return isTyped(key, "e")
        ? Next.to(model.in(line(new InputPurpose.Edit(steer.run(), steer.id()), steer.steerText())))
        : Next.to(model);
  }

  private Next line(Model model, ViewMode.Line line, Key key) {
    if (key == Key.Named.ESCAPE) {
      boolean filter = line.purpose() instanceof InputPurpose.Filter;
      ViewMode back =
          line.purpose() instanceof InputPurpose.OfLoop of ? of.back() : ViewMode.BROWSING;
      return Next.to((filter ? model.withFilter("") : model).in(back));
    }
    if (key == Key.Named.ENTER) {
      return sent(model, line);
    }
    if (key == Key.Named.EDITOR && !(line.purpose() instanceof InputPurpose.Filter)) {
      return Next.to(model, new Effect.Write(line));
    }
    ViewMode.Line next = new ViewMode.Line(line.purpose(), line.typing().after(key));
    Model typed = model.in(next);
    return Next.to(
        line.purpose() instanceof InputPurpose.Filter
            ? typed.withFilter(next.typing().text())
            : typed);
  }

  /** Returns the result of a completed line. */
  Next sent(Model model, ViewMode.Line line) {
    String text = line.typing().text().strip();
    if (line.purpose() instanceof InputPurpose.OfLoop of) {
      return LoopKeys.sent(model, of, text);
    }
    Model done = model.in(ViewMode.BROWSING);
    Optional<String> words = text.isEmpty() ? Optional.empty() : Optional.of(text);
    List<Effect> requests = new ArrayList<>();
    switch (line.purpose()) {
      case InputPurpose.Steer(String run, String mode) ->
          words.ifPresent(some -> requests.add(new Effect.Steer(run, mode, some)));
      case InputPurpose.Restart(String run) ->
          requests.add(
              new Effect.Restart(
                  run,
                  words.filter(
                      some -> !model.run(run).map(RunInfo::prompt).orElse("").equals(some))));
      case InputPurpose.Answer(String run, String ask) ->
          words.ifPresent(some ->
              requests.add(
                  new Effect.Answer(
                      run, ask, AskAnswer.parse(AskKind.QUESTION, some, Optional.empty()))));
      case InputPurpose.Denial(String run, String ask) ->
          requests.add(
              new Effect.Answer(run, ask, AskAnswer.parse(AskKind.PERMISSION, "deny", words)));
      case InputPurpose.Edit(String _, String steer) ->
          words.ifPresent(some -> requests.add(new Effect.Edit(steer, some)));
      case InputPurpose.Filter() -> done = done.withFilter(text);
      case InputPurpose.OfLoop _ -> throw new IllegalStateException("sent by LoopKeys");
    }
    return new Next(done, requests);
  }

  private static Next stopping(Model model, String run, Key key) {
    Model back = model.in(ViewMode.BROWSING);
    return isTyped(key, "y")
        ? Next.to(back.saying(TextColor.YELLOW, "stopping " + run), new Effect.Stop(run))
        : Next.to(back.saying(TextColor.DIM, run + " not stopped"));
  }

  private static Next answering(Model model, ViewMode.Answering asked, Key key) {
    Model back = model.in(ViewMode.BROWSING);
    if (asked.ask().isEmpty()) {
      return Next.to(key == Key.Named.ESCAPE ? back : model);
    }
    if (isTyped(key, "y")) {
      return Next.to(back, new Effect.Answer(asked.run(), asked.ask(), new AskAnswer.Allow()));
    }
    if (isTyped(key, "n")) {
      return Next.to(
          back,
          new Effect.Answer(
              asked.run(), asked.ask(), new AskAnswer.Deny(AskAnswer.DEFAULT_REASON)));
    }
    if (isTyped(key, "t")) {
      InputPurpose purpose =
          switch (asked.kind()) {
            case PERMISSION -> new InputPurpose.Denial(asked.run(), asked.ask());
            case QUESTION -> new InputPurpose.Answer(asked.run(), asked.ask());
          };
      return Next.to(model.in(line(purpose, "")));
    }
    return Next.to(back.saying(TextColor.DIM, "not answered"));
  }

  private static boolean leaves(Key key) {
    return key == Key.Named.ESCAPE || isTyped(key, "q");
  }

  private static boolean isTyped(Key key, String letter) {
    return key instanceof Key.Typed(String text) && text.equals(letter);
  }
}
