package dev.midcourse.core.loop.step;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingState;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.RemoteRemark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answers to the remarks at the forge. Each remark gets exactly one answer with a reason each
 * time it is raised; only a fixed one is resolved.
 */
final class RemoteAnswers {
  private static final int MAX_WHY = 2_000;

  private RemoteAnswers() {}

  /** Writes the answers that are due. */
  static void write(LoopEditor draft) {
    ForgeEditor forge = draft.remote();
    ChangeRef change = forge.change.orElseThrow();
    List<String> withoutThread = new ArrayList<>();
    for (int i = 0; i < forge.remarks.size(); i++) {
      RemoteRemark remark = forge.remarks.get(i);
      Optional<Finding> finding = draft.findings.get(remark.finding());
      if (remark.answered() || finding.filter(RemoteAnswers::isAnswered).isEmpty()) {
        continue;
      }
      String text = text(draft, finding.get());
      if (remark.thread().isPresent()) {
        inThread(draft, change, remark, finding.get(), text);
      } else {
        withoutThread.add(finding.get().title() + "\n" + text);
      }
      forge.remarks.set(i, remark.answeredNow());
    }
    if (!withoutThread.isEmpty()) {
      String what = "answers-" + draft.head.orElseThrow() + "-" + draft.loop().round();
      String marker = ChangeTexts.marker(draft, what);
      draft.write(
          what,
          new ForgeAct.Comment(
              change,
              ChangeTexts.marked(String.join("\n\n", quoted(withoutThread)), marker),
              marker));
    }
  }

  private static List<String> quoted(List<String> answers) {
    return answers.stream().map(it -> "> " + it).toList();
  }

  private static void inThread(
      LoopEditor draft, ChangeRef change, RemoteRemark remark, Finding finding, String text) {
    String thread = remark.thread().orElseThrow();
    String number = finding.id() + "-" + (remark.answers() + 1);
    String marker = ChangeTexts.marker(draft, "reply-" + number);
    draft.write(
        "reply/" + number,
        new ForgeAct.Reply(change, thread, ChangeTexts.marked(text, marker), marker));
    if (finding.state() == FindingState.FIXED) {
      draft.write("resolve/" + number, new ForgeAct.Resolve(change, thread));
    }
  }

  private static boolean isAnswered(Finding finding) {
    return switch (finding.state()) {
      case FIXED, DISPUTED, DEFERRED, DROPPED -> true;
      case OPEN, UNCLEAR, CONFIRMED -> false;
    };
  }

  private static String text(LoopEditor draft, Finding finding) {
    String why = WireNames.cut(finding.reason().strip(), MAX_WHY);
    String head = LoopEditor.shortened(draft.head.orElseThrow());
    return switch (finding.state()) {
      case FIXED -> "Fixed in " + head + (why.isEmpty() ? "." : ": " + why);
      case DISPUTED -> "Not changed: " + why;
      case DEFERRED -> "Left for other work: " + why;
      case DROPPED -> "Left as it is, by decision of a person: " + why;
      case OPEN, UNCLEAR, CONFIRMED -> why;
    };
  }

  /** The forge did not take the act, so it is due again. */
  static void forget(LoopEditor draft, ForgeAct act) {
    ForgeEditor forge = draft.remote();
    if (act instanceof ForgeAct.RequestReview) {
      forge.askedHead = Optional.empty();
      forge.asked = Math.max(0, forge.asked - 1);
    } else if (act instanceof ForgeAct.Reply reply) {
      forge.changeRemarks(it ->
          it.thread().equals(Optional.of(reply.thread())) && it.answered()
              ? new RemoteRemark(
                  it.key(), it.thread(), it.finding(), it.answers() - 1, false, false)
              : it);
    }
  }
}
