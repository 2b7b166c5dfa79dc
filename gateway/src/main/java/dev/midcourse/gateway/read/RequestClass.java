package dev.midcourse.gateway.read;

import dev.midcourse.core.WireNames;

/** The purpose of a request. Only a main request is part of the conversation of the run. */
public enum RequestClass {
  MAIN,
  SUB_AGENT,
  COMPACTION,
  /** A title, a suggestion or another small question of the agent's own. */
  SIDE,
  /** No request to a model. */
  OTHER,
  /** A request to a model whose body cannot be read. */
  UNREADABLE;

  public String wire() {
    return WireNames.name(this);
  }

  public static RequestClass parse(String text) {
    return WireNames.parse(RequestClass.class, "class", text);
  }
}
