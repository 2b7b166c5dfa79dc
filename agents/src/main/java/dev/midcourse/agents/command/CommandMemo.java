package dev.midcourse.agents.command;

import dev.midcourse.agents.stdio.MemoJson;

/**
 * The state of a call.
 *
 * @param turn the turn whose call is running; 0 for none
 * @param output the end of its output
 */
record CommandMemo(int turn, String output) {
  static final CommandMemo FRESH = new CommandMemo(0, "");

  static CommandMemo read(String memo) {
    return MemoJson.read(memo, CommandMemo.class);
  }

  String write() {
    return MemoJson.write(this);
  }
}
