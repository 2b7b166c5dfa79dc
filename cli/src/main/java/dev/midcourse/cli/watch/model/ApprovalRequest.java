package dev.midcourse.cli.watch.model;

import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A sender or a chat that waits to be let in.
 *
 * @param newChat whether the chat has no worker yet; otherwise the sender is unknown
 * @param name the name that the sender chose
 * @param account the account of the sender on its platform, if it is known
 * @param workers of a new chat: those that can take its messages
 */
public record ApprovalRequest(
    String id,
    boolean newChat,
    String name,
    Optional<String> account,
    String chat,
    String text,
    List<String> workers) {
  /** The last digit is left for Ignore. */
  private static final int MAX_WORKERS = 8;

  /**
   * A possible decision.
   *
   * @param decision as the hub names it
   * @param worker the worker that a chat is wired to
   */
  public record Choice(String label, String decision, Optional<String> worker) {}

  public ApprovalRequest {
    workers = List.copyOf(workers);
  }

  public static ApprovalRequest of(JsonValue.Obj approval) {
    return new ApprovalRequest(
        approval.text("approval_id").orElse(""),
        approval.text("kind").orElse("").equals("unknown_chat"),
        approval.text("sender_name").orElse(""),
        approval.text("sender"),
        approval.text("chat").orElse(""),
        approval.text("text").orElse(""),
        approval.texts("workers"));
  }

  /** Returns the decisions in the order of their digits, which begin with 1. */
  public List<Choice> choices() {
    if (!newChat) {
      return List.of(
          new Choice("Allow", "allow", Optional.empty()),
          new Choice("Deny", "deny", Optional.empty()));
    }
    List<Choice> all = new ArrayList<>();
    workers.stream()
        .limit(MAX_WORKERS)
        .forEach(worker -> all.add(new Choice(worker, "wire", Optional.of(worker))));
    all.add(new Choice("Ignore", "deny", Optional.empty()));
    return all;
  }

  /** Returns how many workers have no digit. */
  public int leftOut() {
    return newChat ? Math.max(0, workers.size() - MAX_WORKERS) : 0;
  }

  /** Returns the question that comes before a decision. */
  public String question(Choice choice) {
    return choice.worker().isPresent()
        ? "Wire " + chat + " to " + choice.worker().get() + "?"
        : choice.label() + " " + (newChat ? chat : name) + "?";
  }
}
