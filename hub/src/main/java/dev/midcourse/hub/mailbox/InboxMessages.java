package dev.midcourse.hub.mailbox;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.ledger.json.RunView;
import java.util.List;

/** The messages in the {@code input} folder of a group. */
final class InboxMessages {
  private InboxMessages() {}

  /**
   * A message for a group.
   *
   * @param dispensable whether it may be dropped if the group does not read
   */
  record InboxMessage(String kind, JsonValue.Obj content, boolean dispensable) {
    InboxMessage answering(String task) {
      return new InboxMessage(kind, content.with("in_reply_to", JsonValue.of(task)), dispensable);
    }
  }

  static InboxMessage receipt(Receipt receipt) {
    return new InboxMessage(
        "receipt",
        JsonValue.object()
            .with("kind", "receipt")
            .with("run_id", receipt.runId().value())
            .with("steer_id", receipt.steerId().value())
            .with("receipt", JsonReader.read(JsonCodec.write(receipt))),
        false);
  }

  static InboxMessage run(RunView run) {
    return new InboxMessage(
        "run",
        JsonValue.object()
            .with("kind", "run")
            .with("run_id", run.runId().value())
            .with("run", JsonReader.read(JsonCodec.write(run))),
        false);
  }

  static InboxMessage notice(Notice notice) {
    return new InboxMessage(
        "notice",
        JsonValue.object()
            .with("kind", "notice")
            .with("run_id", notice.run().value())
            .with("worker", notice.worker().value())
            .with("text", notice.line())
            .with("timestamp", notice.at().toString()),
        true);
  }

  static InboxMessage message(GroupName from, String text) {
    return new InboxMessage(
        "message",
        JsonValue.object()
            .with("kind", "message")
            .with("from_group", from.value())
            .with("text", text),
        false);
  }

  static InboxMessage sent(GroupName to) {
    return new InboxMessage(
        "sent", JsonValue.object().with("kind", "sent").with("to", to.value()), false);
  }

  static InboxMessage refusal(RefusedException refused) {
    List<JsonValue> problems =
        refused.problems().stream()
            .<JsonValue>map(problem ->
                JsonValue.object()
                    .with("code", problem.code().wire())
                    .with("field", problem.field())
                    .with("rule", problem.rule())
                    .with("message", problem.message()))
            .toList();
    return new InboxMessage(
        "refusal",
        JsonValue.object()
            .with("kind", "refusal")
            .with("text", refused.description())
            .with("problems", new JsonValue.Arr(problems)),
        false);
  }
}
