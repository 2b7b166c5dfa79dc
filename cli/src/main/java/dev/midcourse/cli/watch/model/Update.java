package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies a message to the model: a pure function. Progress is read from the event itself. If an
 * event has incomplete information, the update requests a load; nothing is guessed or polled.
 */
public final class Update {
  private final KeyBindings keys = new KeyBindings();
  private final Glyphs glyphs;

  public Update(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  public Next on(Model model, Message message) {
    return switch (message) {
      case Message.Pressed(Key key) -> settled(keys.on(model, key));
      case Message.Runs(List<RunInfo> runs, long more) ->
          settled(
              Next.to(
                  model
                      .withRuns(runs.stream().map(run -> newest(model, run)).toList())
                      .withMore(more)));
      case Message.Run(RunInfo run) -> settled(Next.to(model.with(newest(model, run))));
      case Message.Happened(JsonValue.Obj event) -> happened(model, event);
      case Message.Story(String run, List<JsonValue.Obj> events) ->
          Next.to(isChosen(model, run) ? withStory(model, events) : model);
      case Message.Inbox(String run, List<ReceiptInfo> steers) ->
          Next.to(isChosen(model, run) ? withSteers(model, steers) : model);
      case Message.Asks(String run, List<JsonValue.Obj> asks) ->
          Next.to(isChosen(model, run) ? withAsks(model, asks) : model);
      case Message.Approvals(List<ApprovalRequest> pending) ->
          Next.to(
              model.mode() instanceof ViewMode.Approving view
                  ? model.in(view.with(pending))
                  : model);
      case Message.Loops(List<LoopInfo> loops) ->
          Next.to(model.mode() instanceof ViewMode.Loops view ? model.in(view.with(loops)) : model);
      case Message.Sent(ReceiptInfo receipt) -> Next.to(model.saying(sent(receipt)));
      case Message.Done(String what) -> Next.to(model.saying(TextColor.GREEN, what));
      case Message.Trouble(String what) -> Next.to(model.saying(TextColor.RED, what));
      case Message.Absence(boolean away) -> absence(model, away);
      case Message.Wrote(ViewMode.Line line, String text) -> wrote(model, line, text);
      case Message.Tick() -> Next.to(model);
    };
  }

  /** Returns the loads for a run that was just chosen. */
  static List<Effect> loadRun(String run) {
    return List.of(new Effect.LoadStory(run), new Effect.LoadInbox(run), new Effect.LoadAsks(run));
  }

  /** Chooses the first visible run if the chosen run is not visible. */
  private static Next settled(Next step) {
    Model model = step.model();
    List<RunInfo> visible = model.visible();
    if (visible.stream().anyMatch(run -> isChosen(model, run.id()))) {
      return step;
    }
    if (visible.isEmpty()) {
      return new Next(model.choosing(""), step.effects());
    }
    String first = visible.getFirst().id();
    List<Effect> requests = new ArrayList<>(step.effects());
    requests.addAll(loadRun(first));
    return new Next(model.choosing(first), requests);
  }

  private Next happened(Model model, JsonValue.Obj event) {
    String id = event.text("run_id").orElse("");
    String kind = event.text("kind").orElse("");
    if (kind.equals("loop_moved")) {
      return loopMoved(model, id, event);
    }
    List<Effect> requests = new ArrayList<>();
    Model next = climbed(model, kind, event);
    Optional<RunInfo> run = next.run(id);
    Optional<RunInfo> progressed = run.flatMap(one -> RunProgress.after(one, kind, event));
    if (progressed.isPresent()) {
      next = next.with(progressed.get());
    } else if (run.isEmpty() || RunProgress.needsAsking(kind)) {
      requests.add(new Effect.LoadRun(id));
    }
    if (isChosen(next, id)) {
      next = next.with(next.about().with(List.of(event)));
      if (kind.startsWith("steer_")) {
        requests.add(new Effect.LoadInbox(id));
      } else if (kind.startsWith("ask")) {
        requests.add(new Effect.LoadAsks(id));
      }
    }
    return new Next(next, requests);
  }

  /** A loop is no run. It is loaded again if loops are shown; its question is told in any case. */
  private static Next loopMoved(Model model, String loop, JsonValue.Obj event) {
    String text = event.text("text").orElse("");
    boolean asks = event.text("phase").filter("parked"::equals).isPresent();
    Model next = asks ? model.saying(TextColor.YELLOW, "loop " + loop + " " + text) : model;
    return model.mode() instanceof ViewMode.Loops
        ? Next.to(next, new Effect.LoadLoops())
        : Next.to(next);
  }

  private Model climbed(Model model, String kind, JsonValue.Obj event) {
    Model.Notice notice = model.notice();
    boolean same =
        !notice.steer().isEmpty() && notice.steer().equals(event.text("steer_id").orElse(""));
    Optional<String> word =
        switch (kind) {
          case "steer_raised" -> event.text("rung");
          case "steer_ended" -> event.text("ended").filter(end -> !end.equals("answered"));
          default -> Optional.empty();
        };
    if (!same || word.isEmpty() || notice.text().contains(" " + word.get())) {
      return model;
    }
    String text = notice.text() + " " + glyphs.arrow() + " " + word.get();
    return model.saying(new Model.Notice(TextColor.BLUE, text, notice.steer()));
  }

  private Model.Notice sent(ReceiptInfo receipt) {
    StringBuilder text = new StringBuilder("steer ").append(receipt.shortId());
    String before = " ";
    for (ReceiptInfo.Claim claim : receipt.claims()) {
      text.append(before).append(claim.rung());
      before = " " + glyphs.arrow() + " ";
    }
    receipt
        .text("delivered_mode")
        .filter(mode -> !mode.equals(receipt.mode()))
        .ifPresent(mode -> text.append(" as ").append(mode.replace('_', '-')));
    return new Model.Notice(TextColor.BLUE, text.toString(), receipt.id());
  }

  private static RunInfo newest(Model model, RunInfo kept) {
    return RunProgress.newest(model.run(kept.id()), kept);
  }

  private static Model withStory(Model model, List<JsonValue.Obj> events) {
    Model next = model.with(model.about().with(events));
    return next.chosenRun()
        .filter(RunInfo::live)
        .map(run -> next.with(RunProgress.after(run, events)))
        .orElse(next);
  }

  private static Model withSteers(Model model, List<ReceiptInfo> steers) {
    Model.About about = model.about();
    return model.with(new Model.About(about.events(), steers, about.asks()));
  }

  private static Model withAsks(Model model, List<JsonValue.Obj> asks) {
    Model.About about = model.about();
    Model next = model.with(new Model.About(about.events(), about.steers(), asks));
    return model.mode() instanceof ViewMode.Answering(String run, String ask, _, _) && ask.isEmpty()
        ? next.in(asks.isEmpty() ? ViewMode.BROWSING : ViewMode.Answering.of(run, asks))
        : next;
  }

  private static Next absence(Model model, boolean away) {
    Model next = model.withAway(away);
    if (away) {
      return Next.to(next);
    }
    List<Effect> requests = new ArrayList<>(List.of(new Effect.LoadRuns()));
    if (!model.chosen().isEmpty()) {
      requests.addAll(loadRun(model.chosen()));
    }
    if (model.mode() instanceof ViewMode.Approving) {
      requests.add(new Effect.LoadApprovals());
    }
    if (model.mode() instanceof ViewMode.Loops) {
      requests.add(new Effect.LoadLoops());
    }
    return new Next(next.saying(TextColor.GREEN, "reconnected to the hub"), requests);
  }

  /** Sends the text from the editor like typed text. An empty text is not sent. */
  private Next wrote(Model model, ViewMode.Line line, String text) {
    if (text.isBlank()) {
      ViewMode back =
          line.purpose() instanceof InputPurpose.OfLoop of ? of.back() : ViewMode.BROWSING;
      return Next.to(model.in(back).saying(TextColor.DIM, "empty text, not sent"));
    }
    return keys.sent(model, new ViewMode.Line(line.purpose(), InputLine.of(text)));
  }

  private static boolean isChosen(Model model, String run) {
    return model.chosen().equals(run);
  }
}
