package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The keys of the list of autopilot loops, and of the findings of one of them. */
final class LoopKeys {
  private LoopKeys() {}

  static Next open(Model model) {
    return Next.to(model.in(ViewMode.Loops.LOADING), new Effect.LoadLoops());
  }

  static Next on(Model model, ViewMode.Loops view, Key key) {
    if (view.question().isPresent()) {
      return confirmed(model.in(view.withoutQuestion()), view.question().get(), key);
    }
    return switch (key) {
      case Key.Typed(String text) ->
          view.findings() ? finding(model, view, text) : loop(model, view, text);
      case Key.Paste(String _) ->
          Next.to(model.saying(TextColor.DIM, "press s to steer, then paste"));
      case Key.Named named ->
          switch (named) {
            case DOWN -> Next.to(model.in(view.moved(1)));
            case UP -> Next.to(model.in(view.moved(-1)));
            case ESCAPE -> Next.to(model.in(view.findings() ? view.ofLoops() : ViewMode.BROWSING));
            case ENTER -> view.findings() ? Next.to(model) : openRun(model, view);
            case TAB,
                BACKSPACE,
                DELETE,
                LEFT,
                RIGHT,
                HOME,
                END,
                PAGE_UP,
                PAGE_DOWN,
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

  private static Next loop(Model model, ViewMode.Loops view, String text) {
    return switch (text) {
      case "j" -> Next.to(model.in(view.moved(1)));
      case "k" -> Next.to(model.in(view.moved(-1)));
      case "q", "l" -> Next.to(model.in(ViewMode.BROWSING));
      case "?", "h" -> Next.to(model.in(new ViewMode.Help()));
      case "s" -> onLive(model, view, it -> steer(model, view, it, "now"));
      case "S" -> onLive(model, view, it -> steer(model, view, it, "standing"));
      case "N" -> onLive(model, view, it -> steer(model, view, it, "next"));
      case "e" ->
          onLive(
              model,
              view,
              it ->
                  Next.to(
                      model,
                      new Effect.Write(
                          new ViewMode.Line(purpose(view, it, "now"), InputLine.of("")))));
      case "F" -> onChosen(model, view, it -> Next.to(model.in(view.ofFindings())));
      case "c" -> goOn(model, view);
      case "K" -> onLive(model, view, it -> asking(model, view, it, "skip", "Skip the wait of"));
      case "L" -> onChosen(model, view, it -> asking(model, view, it, "land", "Land"));
      case "x" -> onLive(model, view, it -> asking(model, view, it, "stop", "Stop"));
      case "p" -> onLive(model, view, it -> act(model, it, "pause"));
      case "o" -> onChosen(model, view, it -> openChange(model, it));
      case "r" ->
          onChosen(
              model,
              view,
              it ->
                  Next.to(
                      model.in(
                          new ViewMode.Line(
                              new InputPurpose.LoopRestart(view, it.id()),
                              InputLine.of(it.text("prompt"))))));
      default -> Next.to(model);
    };
  }

  private static Next finding(Model model, ViewMode.Loops view, String text) {
    return switch (text) {
      case "j" -> Next.to(model.in(view.moved(1)));
      case "k" -> Next.to(model.in(view.moved(-1)));
      case "q", "F" -> Next.to(model.in(view.ofLoops()));
      case "d" -> decide(model, view, "drop");
      case "u" -> decide(model, view, "uphold");
      case "n" -> decide(model, view, "nit");
      default -> Next.to(model);
    };
  }

  private static Next decide(Model model, ViewMode.Loops view, String decision) {
    Optional<JsonValue.Obj> finding = view.selectedFinding();
    if (finding.isEmpty()) {
      return Next.to(model.saying(TextColor.YELLOW, "no finding selected"));
    }
    return Next.to(
        model.in(
            new ViewMode.Line(
                new InputPurpose.FindingReason(
                    view,
                    view.selected().orElseThrow().id(),
                    finding.get().text("id").orElse(""),
                    decision),
                InputLine.of(""))));
  }

  private static Next onChosen(Model model, ViewMode.Loops view, Function<LoopInfo, Next> then) {
    return view.selected()
        .map(then)
        .orElseGet(() -> Next.to(model.saying(TextColor.YELLOW, "no loop selected")));
  }

  private static Next onLive(Model model, ViewMode.Loops view, Function<LoopInfo, Next> then) {
    return onChosen(
        model,
        view,
        it ->
            it.hasEnded()
                ? Next.to(
                    model.saying(
                        TextColor.YELLOW,
                        it.id() + " is " + it.phase() + "; press r to restart it"))
                : then.apply(it));
  }

  /** The prompt says where the words will go. */
  private static Next steer(Model model, ViewMode.Loops view, LoopInfo it, String scope) {
    return Next.to(model.in(new ViewMode.Line(purpose(view, it, scope), InputLine.of(""))));
  }

  private static InputPurpose purpose(ViewMode.Loops view, LoopInfo it, String scope) {
    return new InputPurpose.LoopSteer(view, it.id(), scope, it.destination(scope));
  }

  private static Next goOn(Model model, ViewMode.Loops view) {
    return onLive(
        model,
        view,
        it -> {
          if (!it.phase().equals("parked")) {
            return Next.to(model.saying(TextColor.YELLOW, it.id() + " is not parked"));
          }
          boolean spent = it.parkReason().equals("budget");
          return spent
              ? Next.to(
                  model.in(
                      new ViewMode.Line(
                          new InputPurpose.MoreFixes(view, it.id()), InputLine.of("3"))))
              : act(model, it, "go");
        });
  }

  private static Next act(Model model, LoopInfo it, String order) {
    return Next.to(model, new Effect.OrderLoop(it.id(), order), new Effect.LoadLoops());
  }

  private static Next asking(
      Model model, ViewMode.Loops view, LoopInfo it, String order, String verb) {
    return Next.to(model.in(view.asking(new ViewMode.LoopQuestion(it.id(), order, verb))));
  }

  private static Next confirmed(Model model, ViewMode.LoopQuestion question, Key key) {
    return key instanceof Key.Typed(String text) && text.equals("y")
        ? Next.to(
            model, new Effect.OrderLoop(question.loop(), question.order()), new Effect.LoadLoops())
        : Next.to(model.saying(TextColor.DIM, question.loop() + " is left as it is"));
  }

  private static Next openRun(Model model, ViewMode.Loops view) {
    return onChosen(
        model,
        view,
        it ->
            it.newestRun()
                .map(
                    run -> new Next(model.in(ViewMode.BROWSING).choosing(run), Update.loadRun(run)))
                .orElseGet(() -> Next.to(model.saying(TextColor.YELLOW, "no run yet"))));
  }

  private static Next openChange(Model model, LoopInfo it) {
    return it.changeUrl()
        .map(url -> Next.to(model, new Effect.OpenLink(url)))
        .orElseGet(
            () -> Next.to(model.saying(TextColor.YELLOW, it.id() + " has no change in a forge")));
  }

  /** What a completed line asks for; returns to the list. */
  static Next sent(Model model, InputPurpose.OfLoop purpose, String text) {
    Model back = model.in(purpose.back());
    List<Effect> orders =
        switch (purpose) {
          case InputPurpose.LoopSteer it ->
              text.isEmpty()
                  ? List.of()
                  : List.of(new Effect.SteerLoop(it.loop(), it.scope(), text));
          case InputPurpose.FindingReason it ->
              List.of(new Effect.DecideFinding(it.loop(), it.finding(), it.decision(), text));
          case InputPurpose.MoreFixes it ->
              text.matches("[0-9]{1,2}")
                  ? List.of(new Effect.GoOn(it.loop(), Integer.parseInt(text)))
                  : List.of();
          case InputPurpose.LoopRestart it ->
              text.isEmpty() ? List.of() : List.of(new Effect.RewordLoop(it.loop(), text));
        };
    return orders.isEmpty()
        ? Next.to(back.saying(TextColor.DIM, "nothing was sent"))
        : Next.to(back, orders.getFirst(), new Effect.LoadLoops());
  }
}
