package dev.midcourse.proof.model;

import tools.jackson.databind.node.ObjectNode;

/** A tool call that the model requests from the agent. */
public sealed interface ToolCall {

  /**
   * A command for the agent's shell tool. {@link ShellTool} finds the tool and formats the command.
   */
  record Shell(String command) implements ToolCall {}

  /** A tool by its name, with unchanged arguments. */
  record Named(String name, ObjectNode arguments) implements ToolCall {}
}
