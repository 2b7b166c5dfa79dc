package dev.midcourse.core.chat.approval;

import dev.midcourse.core.Problem;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.chat.approval.ApprovalDecision.AllowSender;
import dev.midcourse.core.chat.approval.ApprovalDecision.CreateWorker;
import dev.midcourse.core.chat.approval.ApprovalDecision.Deny;
import dev.midcourse.core.chat.approval.ApprovalDecision.WireTo;
import dev.midcourse.core.chat.approval.PendingApproval.UnknownChat;
import dev.midcourse.core.chat.approval.PendingApproval.UnknownSender;
import dev.midcourse.core.id.WorkerName;
import java.util.List;

/** Which decision a pending approval takes, and what the person who decides must be allowed. */
public final class ApprovalRules {
  private ApprovalRules() {}

  /**
   * Returns the actions of which the person who decides must be allowed one. A sender is let in to
   * the workers for which that person may decide. Refuses a decision that does not fit the
   * approval.
   *
   * @param workers the workers to which the chat is wired
   */
  public static List<Action> sufficient(
      PendingApproval approval, ApprovalDecision decision, List<WorkerName> workers) {
    return switch (decision) {
      case AllowSender _ -> {
        if (approval instanceof UnknownChat) {
          throw unfit("wire, create or deny", "the chat has no worker yet; wire it to one");
        }
        yield letIn(workers);
      }
      case WireTo(WorkerName worker) -> {
        requireChat(approval);
        yield List.of(new Action.LetIn(worker));
      }
      case CreateWorker _ -> {
        requireChat(approval);
        yield List.of(new Action.CreateWorker());
      }
      case Deny _ ->
          switch (approval) {
            case UnknownSender _ -> letIn(workers);
            case UnknownChat _ -> List.of(new Action.ManageChats("refuse a chat"));
          };
    };
  }

  private static void requireChat(PendingApproval approval) {
    if (approval instanceof UnknownSender) {
      throw unfit("allow or deny", "the chat has its workers already; allow or deny the sender");
    }
  }

  private static List<Action> letIn(List<WorkerName> workers) {
    return workers.isEmpty()
        ? List.of(new Action.ManageChats("let a sender in"))
        : workers.stream().map(worker -> (Action) new Action.LetIn(worker)).toList();
  }

  private static RuntimeException unfit(String rule, String message) {
    return Problem.invalid("decision", rule, message).refused();
  }
}
