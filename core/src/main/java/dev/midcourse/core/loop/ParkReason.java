package dev.midcourse.core.loop;

import dev.midcourse.core.WireNames;

/** Why a loop waits for a person. */
public enum ParkReason {
  /** The branch or the checkout could not be made. */
  NOT_PREPARED,
  /** The agent failed. */
  AGENT_FAILED,
  /** The agent did not keep to its contract, also after it was told once. */
  CONTRACT,
  /** The agent changed nothing. */
  NO_CHANGE,
  /** A budget is spent. */
  BUDGET,
  /** The same finding came back, or the same code. */
  BOUNCE,
  /** The fixer and the reviewer do not agree. */
  DISPUTE,
  /** The fixer has a question. */
  UNCLEAR,
  /** The number of findings does not fall. */
  NO_PROGRESS,
  /** The reviewer or CI could not look. */
  UNAVAILABLE,
  /** The review or CI took too long. */
  DEADLINE,
  /** The branch has commits that the loop did not order. */
  FOREIGN_CHANGE,
  /** The base has changed in a way that git cannot merge, or the merged code is red. */
  CONFLICT,
  /** The forge does not accept the credentials. */
  AUTH,
  /** The forge refuses what the loop has to do there. */
  FORGE_REFUSED,
  /** Somebody closed the change, or its branch is gone. */
  CHANGE_CLOSED,
  /** Somebody gave the change another base. */
  RETARGETED,
  /** A person stopped an agent of the loop. */
  RUN_STOPPED,
  /** A person paused the loop. */
  PAUSED;

  public String wire() {
    return WireNames.name(this);
  }

  public static ParkReason parse(String text) {
    return WireNames.parse(ParkReason.class, "reason", text);
  }
}
