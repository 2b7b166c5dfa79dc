package dev.midcourse.proof.agents;

/** The tested operations of every agent, in the order of the table. */
enum Operation {
  START("start"),
  PROGRESS("progress"),
  STEER_IN_TOOL("steer in the middle of a tool"),
  TWO_STEERS("two steers in order"),
  STEER_IN_TEXT("steer while text streams"),
  LAST_MOMENT("steer in the last moments of a turn"),
  FOLLOW_UP("follow-up"),
  INTERRUPT("interrupt and redirect"),
  WITHDRAW("withdraw"),
  STOP("stop with an escaped child"),
  AGENT_KILLED("resume after kill -9 of the agent"),
  HUB_KILLED("continue after kill -9 of the hub"),
  MODEL_ERRORS("model errors 401, 500, 529"),
  HANG("a model that hangs"),
  BLOCKED_TOOL("blocked tool"),
  PERMISSION("permission"),
  COST("cost and tokens");

  private final String words;

  Operation(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
