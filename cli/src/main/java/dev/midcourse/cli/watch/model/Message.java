package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Input of the model. */
public sealed interface Message {
  record Pressed(Key key) implements Message {}

  /**
   * The loaded runs, as many as the model can hold.
   *
   * @param more how many others there are that are not over
   */
  record Runs(List<RunInfo> runs, long more) implements Message {}

  record Run(RunInfo run) implements Message {}

  record Happened(JsonValue.Obj event) implements Message {}

  record Story(String run, List<JsonValue.Obj> events) implements Message {}

  record Inbox(String run, List<ReceiptInfo> steers) implements Message {}

  record Asks(String run, List<JsonValue.Obj> asks) implements Message {}

  record Approvals(List<ApprovalRequest> pending) implements Message {}

  record Loops(List<LoopInfo> loops) implements Message {}

  record Sent(ReceiptInfo receipt) implements Message {}

  record Done(String what) implements Message {}

  record Trouble(String what) implements Message {}

  /** The connection to the hub was lost, or restored. */
  record Absence(boolean away) implements Message {}

  record Wrote(ViewMode.Line line, String text) implements Message {}

  /** Time has passed, or the terminal has another size. */
  record Tick() implements Message {}
}
