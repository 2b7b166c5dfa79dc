package dev.midcourse.proof.agents;

/** The tested operations of every agent, in the order of the table. */
enum Operation {
  START("start", "reports its version and session; the prompt is in the first request once"),
  PROGRESS("progress", "text, tools with a summary, turns; all output is understood"),
  STEER_IN_TOOL(
      "steer in the middle of a tool",
      "in the next model request, once; rungs: offered, accepted, injected, answered"),
  TWO_STEERS("two steers in order", "in their order, each once"),
  STEER_IN_TEXT("steer while text streams", "in the request after the answer, once"),
  LAST_MOMENT(
      "steer in the last moments of a turn",
      "at random points: each carried or answered, none lost or duplicated"),
  FOLLOW_UP("follow-up", "opens the next turn of the same session, once"),
  INTERRUPT(
      "interrupt and redirect",
      "the tool's process is gone; the redirection is in the next request, once"),
  WITHDRAW("withdraw", "returned while a tool runs; the model never saw it"),
  STOP("stop with an escaped child", "no process is alive, including a child in its own session"),
  AGENT_KILLED(
      "resume after kill -9 of the agent",
      "same session; a steer it had and one it held are in it once"),
  HUB_KILLED(
      "continue after kill -9 of the hub",
      "the same process continues under the next hub; steers from before and after are seen once"),
  MODEL_ERRORS(
      "model errors 401, 500, 529", "the run fails, with the agent's error message as the reason"),
  HANG("a model that hangs", "interrupt redirects it, stop ends it"),
  BLOCKED_TOOL("blocked tool", "not offered to the model"),
  PERMISSION("permission", "asked before a command; allow runs it, deny does not"),
  COST("cost and tokens", "tokens as the model counted them over two turns, and a cost");

  private final String words;
  private final String fullResult;

  Operation(String words, String fullResult) {
    this.words = words;
    this.fullResult = fullResult;
  }

  String words() {
    return words;
  }

  /** The result of an agent that supports the operation completely. */
  String fullResult() {
    return fullResult;
  }
}
