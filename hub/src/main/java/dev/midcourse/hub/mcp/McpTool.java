package dev.midcourse.hub.mcp;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.json.JsonValue;

/** Something an agent can call: what it is for, what it takes, and who does it. */
record McpTool(String name, String description, JsonValue schema, Work work) {

  /** Does it for whoever asks; what it gives back is written as JSON. */
  @FunctionalInterface
  interface Work {
    Object call(Caller caller, ToolArguments inputs) throws InterruptedException;
  }

  JsonValue listed() {
    return JsonValue.object()
        .with("name", name)
        .with("description", description)
        .with("inputSchema", schema);
  }
}
