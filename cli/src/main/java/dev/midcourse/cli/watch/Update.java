package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Signs;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a message does to the board: a pure function. Progress is read from the event itself; what
 * an event only hints at is asked for, so that nothing is guessed and nothing is polled.
 */
final class Update {
  private final Keys keys = new Keys();
  private final Signs signs;

  Update(Signs signs) {
    this.signs = signs;
  }

  Step on(Board board, Message message) {
    return switch (message) {
      case Message.Pressed(Key key) -> settled(keys.on(board, key));
      case Message.Runs(List<RunInfo> runs, long more) ->
          settled(
              Step.to(
                  board
                      .withRuns(runs.stream().map(run -> newest(board, run)).toList())
                      .withMore(more)));
      case Message.Run(RunInfo run) -> settled(Step.to(board.with(newest(board, run))));
      case Message.Happened(JsonValue.Obj event) -> happened(board, event);
      case Message.Story(String run, List<JsonValue.Obj> events) ->
          Step.to(isChosen(board, run) ? withStory(board, events) : board);
      case Message.Inbox(String run, List<ReceiptInfo> steers) ->
          Step.to(isChosen(board, run) ? withSteers(board, steers) : board);
      case Message.Asks(String run, List<JsonValue.Obj> asks) ->
          Step.to(isChosen(board, run) ? withAsks(board, asks) : board);
      case Message.Sent(ReceiptInfo receipt) -> Step.to(board.saying(sent(receipt)));
      case Message.Done(String what) -> Step.to(board.saying(Ink.GREEN, what));
      case Message.Trouble(String what) -> Step.to(board.saying(Ink.RED, what));
      case Message.Absence(boolean away) -> absence(board, away);
      case Message.Wrote(Mode.Line line, String text) -> wrote(board, line, text);
      case Message.Tick() -> Step.to(board);
    };
  }

  /** What is to be known of a run that was just chosen. */
  static List<Wish> aboutTheChosen(String run) {
    return List.of(new Wish.LoadStory(run), new Wish.LoadInbox(run), new Wish.LoadAsks(run));
  }

  /** Chooses another run when the chosen one is not to be seen any more. */
  private static Step settled(Step step) {
    Board board = step.board();
    List<RunInfo> visible = board.visible();
    if (visible.stream().anyMatch(run -> isChosen(board, run.id()))) {
      return step;
    }
    if (visible.isEmpty()) {
      return new Step(board.choosing(""), step.wishes());
    }
    String first = visible.getFirst().id();
    List<Wish> wishes = new ArrayList<>(step.wishes());
    wishes.addAll(aboutTheChosen(first));
    return new Step(board.choosing(first), wishes);
  }

  private Step happened(Board board, JsonValue.Obj event) {
    String id = event.text("run_id").orElse("");
    String kind = event.text("kind").orElse("");
    List<Wish> wishes = new ArrayList<>();
    Board next = climbed(board, kind, event);
    Optional<RunInfo> run = next.run(id);
    Optional<RunInfo> progressed = run.flatMap(one -> Progress.after(one, kind, event));
    if (progressed.isPresent()) {
      next = next.with(progressed.get());
    } else if (run.isEmpty() || Progress.needsAsking(kind)) {
      wishes.add(new Wish.LoadRun(id));
    }
    if (isChosen(next, id)) {
      next = next.with(next.about().with(List.of(event)));
      if (kind.startsWith("steer_")) {
        wishes.add(new Wish.LoadInbox(id));
      } else if (kind.startsWith("ask")) {
        wishes.add(new Wish.LoadAsks(id));
      }
    }
    return new Step(next, wishes);
  }

  private Board climbed(Board board, String kind, JsonValue.Obj event) {
    Board.Notice notice = board.notice();
    boolean same =
        !notice.steer().isEmpty() && notice.steer().equals(event.text("steer_id").orElse(""));
    Optional<String> word =
        switch (kind) {
          case "steer_raised" -> event.text("rung");
          case "steer_ended" -> event.text("ended").filter(end -> !end.equals("answered"));
          default -> Optional.empty();
        };
    if (!same || word.isEmpty() || notice.text().contains(" " + word.get())) {
      return board;
    }
    String text = notice.text() + " " + signs.arrow() + " " + word.get();
    return board.saying(new Board.Notice(Ink.BLUE, text, notice.steer()));
  }

  private Board.Notice sent(ReceiptInfo receipt) {
    StringBuilder text = new StringBuilder("steer ").append(receipt.shortId());
    String before = " ";
    for (ReceiptInfo.Claim claim : receipt.claims()) {
      text.append(before).append(claim.rung());
      before = " " + signs.arrow() + " ";
    }
    receipt
        .text("delivered_mode")
        .filter(mode -> !mode.equals(receipt.mode()))
        .ifPresent(mode -> text.append(" as ").append(mode));
    return new Board.Notice(Ink.BLUE, text.toString(), receipt.id());
  }

  private static RunInfo newest(Board board, RunInfo kept) {
    return Progress.newest(board.run(kept.id()), kept);
  }

  private static Board withStory(Board board, List<JsonValue.Obj> events) {
    Board next = board.with(board.about().with(events));
    return next.chosenRun()
        .filter(RunInfo::live)
        .map(run -> next.with(Progress.after(run, events)))
        .orElse(next);
  }

  private static Board withSteers(Board board, List<ReceiptInfo> steers) {
    Board.About about = board.about();
    return board.with(new Board.About(about.events(), steers, about.asks()));
  }

  private static Board withAsks(Board board, List<JsonValue.Obj> asks) {
    Board.About about = board.about();
    Board next = board.with(new Board.About(about.events(), about.steers(), asks));
    return board.mode() instanceof Mode.Answering(String run, String ask, String _) && ask.isEmpty()
        ? next.in(asks.isEmpty() ? Mode.BROWSING : Mode.Answering.of(run, asks))
        : next;
  }

  private static Step absence(Board board, boolean away) {
    Board next = board.withAway(away);
    if (away) {
      return Step.to(next);
    }
    List<Wish> wishes = new ArrayList<>(List.of(new Wish.LoadRuns()));
    if (!board.chosen().isEmpty()) {
      wishes.addAll(aboutTheChosen(board.chosen()));
    }
    return new Step(next.saying(Ink.GREEN, "the hub is back"), wishes);
  }

  /** Nothing written is nothing done; what was written is sent as if it had been typed. */
  private Step wrote(Board board, Mode.Line line, String text) {
    if (text.isBlank()) {
      return Step.to(board.in(Mode.BROWSING).saying(Ink.DIM, "nothing was written"));
    }
    return keys.sent(board, new Mode.Line(line.purpose(), Typing.of(text)));
  }

  private static boolean isChosen(Board board, String run) {
    return board.chosen().equals(run);
  }
}
