package dev.midcourse.hub.mailbox;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.Value;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.ledger.json.Json;
import dev.midcourse.ledger.json.JsonText;
import dev.midcourse.ledger.json.RunView;
import java.util.List;

/** What a group finds in its {@code input}. */
final class Letters {
  private Letters() {}

  /** A letter, and whether it may be left out when the group does not read. */
  record Letter(String kind, Value.Fields content, boolean dispensable) {
    Letter answering(String task) {
      return new Letter(kind, content.with("in_reply_to", Value.of(task)), dispensable);
    }
  }

  static Letter receipt(Receipt receipt) {
    return new Letter(
        "receipt",
        Value.fields(
            "kind",
            Value.of("receipt"),
            "run_id",
            Value.of(receipt.runId().value()),
            "steer_id",
            Value.of(receipt.steerId().value()),
            "receipt",
            JsonText.value(Json.mapper().valueToTree(receipt))),
        false);
  }

  static Letter run(RunView run) {
    return new Letter(
        "run",
        Value.fields(
            "kind",
            Value.of("run"),
            "run_id",
            Value.of(run.runId().value()),
            "run",
            JsonText.value(Json.mapper().valueToTree(run))),
        false);
  }

  static Letter notice(Notice notice) {
    return new Letter(
        "notice",
        Value.fields(
            "kind",
            Value.of("notice"),
            "run_id",
            Value.of(notice.run().value()),
            "worker",
            Value.of(notice.worker().value()),
            "text",
            Value.of(notice.line()),
            "timestamp",
            Value.of(notice.at().toString())),
        true);
  }

  static Letter message(GroupName from, String text) {
    return new Letter(
        "message",
        Value.fields(
            "kind",
            Value.of("message"),
            "from_group",
            Value.of(from.value()),
            "text",
            Value.of(text)),
        false);
  }

  static Letter sent(GroupName to) {
    return new Letter(
        "sent", Value.fields("kind", Value.of("sent"), "to", Value.of(to.value())), false);
  }

  static Letter refusal(RefusedException refused) {
    List<Value> problems =
        refused.problems().stream()
            .<Value>map(problem ->
                Value.fields(
                    "code",
                    Value.of(problem.code().wire()),
                    "field",
                    Value.of(problem.field()),
                    "rule",
                    Value.of(problem.rule()),
                    "message",
                    Value.of(problem.message())))
            .toList();
    return new Letter(
        "refusal",
        Value.fields(
            "kind",
            Value.of("refusal"),
            "text",
            Value.of(refused.words()),
            "problems",
            new Value.Many(problems)),
        false);
  }
}
