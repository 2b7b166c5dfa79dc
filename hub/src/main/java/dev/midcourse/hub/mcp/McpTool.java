package dev.midcourse.hub.mcp;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;

/** A tool that an agent can call: its name, its input schema and its implementation. */
record McpTool(String name, String description, JsonValue schema, ToolHandler work) {

  /** Executes the call for the caller. The result is written as JSON. */
  @FunctionalInterface
  interface ToolHandler {
    Object call(Caller caller, ObjectReader inputs) throws InterruptedException;
  }

  JsonValue listed() {
    return JsonValue.object()
        .with("name", name)
        .with("description", description)
        .with("inputSchema", schema);
  }
}
