package dev.midcourse.proof.model;

import tools.jackson.databind.node.ObjectNode;

/** A tool that the model asks the agent to use. */
public sealed interface ToolCall {

  /**
   * A command for the agent's shell, whatever that agent calls its shell tool and however it wants
   * the command; see {@link ShellTool}.
   */
  record Shell(String command) implements ToolCall {}

  /** A tool by its own name, with the arguments as they are. */
  record Named(String name, ObjectNode arguments) implements ToolCall {}
}
