package dev.midcourse.proof.model.wire;

import tools.jackson.databind.node.ObjectNode;

/** A complete block of an answer that is not streamed. */
sealed interface Block {
  record Text(String text) implements Block {}

  record Call(String id, String tool, ObjectNode arguments) implements Block {}
}
