package dev.midcourse.proof.model.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Collects an answer and sends it in one piece when it is complete. */
final class WholeReply implements Reply {

  /** Formats a complete answer for a wire format. */
  interface Shape {
    JsonNode of(List<Block> blocks, ModelUsage usage);
  }

  private final Exchange exchange;
  private final Shape shape;
  private final List<Block> blocks = new ArrayList<>();
  private ModelUsage usage = ModelUsage.SMALL;

  WholeReply(Exchange exchange, Shape shape) {
    this.exchange = exchange;
    this.shape = shape;
  }

  @Override
  public void begin(ModelUsage figures) {
    usage = figures;
  }

  @Override
  public void text(String piece) {
    if (!blocks.isEmpty() && blocks.getLast() instanceof Block.Text last) {
      blocks.set(blocks.size() - 1, new Block.Text(last.text() + piece));
    } else {
      blocks.add(new Block.Text(piece));
    }
  }

  @Override
  public void call(String id, String tool, ObjectNode arguments) {
    blocks.add(new Block.Call(id, tool, arguments));
  }

  @Override
  public void end() throws IOException {
    exchange.json(200, shape.of(blocks, usage));
  }
}
