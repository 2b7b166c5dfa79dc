package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.AnswerRequest;
import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** The mode of the view. It decides the effect of keys. */
public sealed interface ViewMode {
  record Browsing() implements ViewMode {}

  /**
   * All events of the chosen run.
   *
   * @param back how many rows above the newest
   */
  record Log(int back) implements ViewMode {}

  /** The steers of the chosen run that have not ended. */
  record Pending(int index) implements ViewMode {}

  record Help() implements ViewMode {}

  record Line(InputPurpose purpose, InputLine typing) implements ViewMode {}

  record Stopping(String run) implements ViewMode {}

  /**
   * A question that waits for the answer of the user.
   *
   * @param ask blank while it is not known what is asked
   */
  record Answering(String run, String ask, AskKind kind, String question) implements ViewMode {
    static Answering of(String run, List<JsonValue.Obj> asks) {
      JsonValue.Obj first = asks.isEmpty() ? JsonValue.Obj.EMPTY : asks.getFirst();
      return new Answering(
          run,
          first.text("ask").orElse(""),
          AnswerRequest.kind(first),
          first.text("question").orElse(""));
    }
  }

  /**
   * The senders and chats that wait to be let in.
   *
   * @param loaded whether they have been loaded once
   * @param index which of them is selected
   * @param question the decision that waits for a yes
   */
  record Approving(
      List<ApprovalRequest> pending, boolean loaded, int index, Optional<Decision> question)
      implements ViewMode {
    static final Approving LOADING = new Approving(List.of(), false, 0, Optional.empty());

    public Approving {
      pending = List.copyOf(pending);
      index = Math.clamp(index, 0, Math.max(0, pending.size() - 1));
    }

    public Optional<ApprovalRequest> selected() {
      return pending.isEmpty() ? Optional.empty() : Optional.of(pending.get(index));
    }

    Approving moved(int by) {
      return new Approving(pending, loaded, index + by, question);
    }

    /** Returns a copy with these requests. The selected one stays selected if it is among them. */
    Approving with(List<ApprovalRequest> all) {
      List<String> ids = all.stream().map(ApprovalRequest::id).toList();
      int same = selected().map(one -> ids.indexOf(one.id())).orElse(-1);
      return new Approving(all, true, same < 0 ? index : same, question);
    }

    Approving asking(Decision decision) {
      return new Approving(pending, loaded, index, Optional.of(decision));
    }

    Approving withoutQuestion() {
      return new Approving(pending, loaded, index, Optional.empty());
    }
  }

  /**
   * The autopilot loops, or the findings of the selected one.
   *
   * @param loaded whether they have been loaded once
   * @param index the selected loop
   * @param findings whether its findings are shown
   * @param row the selected finding
   * @param question the order that waits for a yes
   */
  record Loops(
      List<LoopInfo> loops,
      boolean loaded,
      int index,
      boolean findings,
      int row,
      Optional<LoopQuestion> question)
      implements ViewMode {
    static final Loops LOADING = new Loops(List.of(), false, 0, false, 0, Optional.empty());

    public Loops {
      loops = List.copyOf(loops);
      index = Math.clamp(index, 0, Math.max(0, loops.size() - 1));
      int most = loops.isEmpty() ? 0 : loops.get(index).findings().size() - 1;
      row = Math.clamp(row, 0, Math.max(0, most));
    }

    public Optional<LoopInfo> selected() {
      return loops.isEmpty() ? Optional.empty() : Optional.of(loops.get(index));
    }

    Optional<JsonValue.Obj> selectedFinding() {
      return selected()
          .map(LoopInfo::findings)
          .filter(all -> !all.isEmpty())
          .map(all -> all.get(row));
    }

    Loops moved(int by) {
      return findings
          ? new Loops(loops, loaded, index, true, row + by, question)
          : new Loops(loops, loaded, index + by, false, 0, question);
    }

    Loops ofFindings() {
      return new Loops(loops, loaded, index, true, 0, Optional.empty());
    }

    Loops ofLoops() {
      return new Loops(loops, loaded, index, false, 0, Optional.empty());
    }

    /** Returns a copy with these loops. The selected one stays selected if it is among them. */
    Loops with(List<LoopInfo> all) {
      List<String> ids = all.stream().map(LoopInfo::id).toList();
      int same = selected().map(one -> ids.indexOf(one.id())).orElse(-1);
      return new Loops(all, true, same < 0 ? index : same, findings && same >= 0, row, question);
    }

    Loops asking(LoopQuestion order) {
      return new Loops(loops, loaded, index, findings, row, Optional.of(order));
    }

    Loops withoutQuestion() {
      return new Loops(loops, loaded, index, findings, row, Optional.empty());
    }
  }

  /** An order about a loop that needs a yes. */
  record LoopQuestion(String loop, String order, String verb) {}

  /** A decision about a request. */
  record Decision(ApprovalRequest approval, ApprovalRequest.Choice choice) {}

  ViewMode BROWSING = new Browsing();
}
