package dev.midcourse.proof.model.wire;

import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** An answer that is being sent. Order of calls: begin, any number of texts and calls, end. */
public interface Reply {
  void begin(ModelUsage usage) throws IOException;

  /** Sends more text; consecutive texts are one block. */
  void text(String piece) throws IOException;

  void call(String id, String tool, ObjectNode arguments) throws IOException;

  void end() throws IOException;
}
