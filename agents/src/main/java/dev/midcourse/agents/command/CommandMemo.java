package dev.midcourse.agents.command;

import dev.midcourse.agents.stdio.ProtocolJson;
import tools.jackson.databind.JsonNode;

/**
 * What has to be remembered of a call.
 *
 * @param turn the turn whose call runs; 0 for none
 * @param output the end of what it has written
 */
record CommandMemo(int turn, String output) {
  static CommandMemo read(String memo) {
    JsonNode json = ProtocolJson.object(memo).orElseThrow();
    return new CommandMemo(json.path("turn").asInt(), ProtocolJson.text(json, "output"));
  }

  String write() {
    return ProtocolJson.object().put("turn", turn).put("output", output).toString();
  }
}
