package dev.midcourse.engine.conversation.context;

import java.util.Locale;

/** The texts that people get from Midcourse itself. The settings can replace each of them. */
public enum ChatText {
  STEERED("Adding to current task"),
  QUEUED("Queued, position {position} after {run}"),
  COLLECTED("Collected, position {position}: given together after {run}"),
  FINISHED("Finished"),
  STOPPED("Stopped"),
  STOPPING("Stopping"),
  NOT_STARTED("Not started: {reason}"),
  FAILED("Failed: {reason}"),
  NOT_DELIVERED("Not delivered: {reason}"),
  UNCONFIRMED("It is not known whether the agent has this: {reason}"),
  UNKNOWN_REPLY(
      "I do not know the task that this replies to. Send it as a new message to start one."),
  NOTHING_TO_STOP("There is nothing to stop"),
  NOT_ALLOWED("You may not do this"),
  TOO_LATE_TO_CHANGE("Too late to change: the agent has it already"),
  TOO_MANY_MESSAGES(
      "You write more, or answer faster, than a person would. I do not listen to you for ten"
          + " minutes, so that two programs do not talk for ever. /stop and other commands work."),
  SEND_AGAIN("This chat has a worker now. Send the command again."),
  TOO_LONG("This message is too long for the agent: {reason}"),
  INTERNAL_ERROR("Something went wrong with this message. It was not given to the agent."),
  EXPIRED("Expired without a decision"),
  UNKNOWN_SENDER("I do not know you here yet. Your message waits until somebody lets you in."),
  UNKNOWN_CHAT("No worker answers here yet. Your message waits until somebody decides.");

  private final String template;

  ChatText(String template) {
    this.template = template;
  }

  /** The text without a setting. */
  public String template() {
    return template;
  }

  /** The name of the setting. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
