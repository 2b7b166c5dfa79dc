package dev.midcourse.channels.irc;

import java.util.Arrays;
import java.util.Optional;

/** The extensions of the protocol that the channel asks for. */
enum IrcCapability {
  /** Tags, and with them ids of messages and replies. */
  MESSAGE_TAGS("message-tags"),
  SERVER_TIME("server-time"),
  /** The server sends our own messages back, which proves that it took them. */
  ECHO_MESSAGE("echo-message"),
  /** Each message names the account of its sender. */
  ACCOUNT_TAG("account-tag"),
  BATCH("batch"),
  LABELED_RESPONSE("labeled-response"),
  HISTORY("draft/chathistory"),
  SASL("sasl");

  private final String wire;

  IrcCapability(String wire) {
    this.wire = wire;
  }

  String wire() {
    return wire;
  }

  static Optional<IrcCapability> named(String wire) {
    return Arrays.stream(values()).filter(one -> one.wire.equals(wire)).findFirst();
  }
}
