package dev.midcourse.hub.api.chat;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import java.util.Optional;

/** Carries a decision about a pending approval out. */
public interface ApprovalDecider {
  /**
   * Decides the approval and replays its message if it is allowed. The first decision counts.
   * Returns empty if there is no such approval, also none that was decided before. The caller was
   * found to be allowed this.
   */
  Optional<Outcome> decide(ApprovalId approval, ApprovalDecision decision, Caller caller);

  /**
   * Closes the approvals that a change of people, chats or wirings has answered, and replays their
   * messages.
   */
  void settle(Caller caller);

  /**
   * What became of a decision.
   *
   * @param counted false if somebody else had decided before
   * @param words a sentence for people: what was decided, and by whom if it was somebody else
   */
  record Outcome(boolean counted, String words) {}
}
