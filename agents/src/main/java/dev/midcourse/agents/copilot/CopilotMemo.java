package dev.midcourse.agents.copilot;

import dev.midcourse.agents.stdio.Copies;
import dev.midcourse.agents.stdio.MemoJson;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The state of a conversation with Copilot, as far as its next messages depend on it.
 *
 * @param version the version of Copilot; empty before it is known
 * @param started the conversation is open
 * @param named the session id was reported, so there is something to resume
 * @param working a turn runs: from its first message until the session is idle
 * @param answer the last text of the model
 * @param error the error that came after it
 * @param held our messages that Copilot holds, by the id that it gave them: {@code prompt:3} or
 *     {@code steer:ID}
 * @param shown ids of messages that are in the conversation and not yet known as ours
 */
record CopilotMemo(
    String version,
    boolean started,
    boolean named,
    boolean working,
    String answer,
    String error,
    SortedMap<String, String> held,
    SortedSet<String> shown) {
  static final CopilotMemo FRESH =
      new CopilotMemo(
          "",
          false,
          false,
          false,
          "",
          "",
          Collections.emptySortedMap(),
          Collections.emptySortedSet());

  CopilotMemo {
    held = Copies.of(held);
    shown = Copies.of(shown);
  }

  static CopilotMemo read(String memo) {
    return MemoJson.read(memo, CopilotMemo.class);
  }

  String write() {
    return MemoJson.write(this);
  }

  CopilotMemo withVersion(String itsVersion) {
    return new CopilotMemo(itsVersion, started, named, working, answer, error, held, shown);
  }

  CopilotMemo asStarted(boolean resumed) {
    return new CopilotMemo(version, true, resumed, working, answer, error, held, shown);
  }

  CopilotMemo asNamed() {
    return new CopilotMemo(version, started, true, working, answer, error, held, shown);
  }

  CopilotMemo asWorking() {
    return new CopilotMemo(version, started, named, true, answer, "", held, shown);
  }

  CopilotMemo asIdle() {
    return new CopilotMemo(version, started, named, false, "", error, held, shown);
  }

  CopilotMemo withAnswer(String text) {
    return new CopilotMemo(version, started, named, working, text, error, held, shown);
  }

  CopilotMemo withError(String why) {
    return new CopilotMemo(version, started, named, working, answer, why, held, shown);
  }

  CopilotMemo withHeld(SortedMap<String, String> messages) {
    return new CopilotMemo(version, started, named, working, answer, error, messages, shown);
  }

  CopilotMemo withShown(SortedSet<String> messages) {
    return new CopilotMemo(version, started, named, working, answer, error, held, messages);
  }

  CopilotMemo withoutMessages() {
    return withHeld(Collections.emptySortedMap()).withShown(Collections.emptySortedSet());
  }
}
