package dev.midcourse.proof.model.wire;

import java.io.IOException;

/** An answer that is sent as a stream of events, in the format of one vendor. */
abstract class StreamedReply implements Reply {
  final ModelRequest request;
  final Exchange.Events events;
  private ModelUsage usage = ModelUsage.SMALL;

  StreamedReply(ModelRequest request, Exchange.Events events) {
    this.request = request;
    this.events = events;
  }

  @Override
  public final void begin(ModelUsage figures) throws IOException {
    usage = figures;
    sendStart();
  }

  /** Sends the events before the first text or call, if the format has any. */
  void sendStart() throws IOException {}

  @Override
  public final void end() throws IOException {
    sendEnd();
    events.end();
  }

  /** Sends the events after the last text or call. */
  abstract void sendEnd() throws IOException;

  /** The usage of the answer, known from its begin on. */
  ModelUsage usage() {
    return usage;
  }
}
