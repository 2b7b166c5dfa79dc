package dev.midcourse.ledger.json;

import dev.midcourse.core.loop.queue.MergeQueue;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/** Writes merge queues as JSON objects and reads them back. */
public final class MergeQueueCodec {
  private static final ObjectWriter WRITER = JsonCodec.mapper().writerFor(MergeQueue.class);

  /** A flag or number that an earlier version did not write is false or 0. */
  private static final ObjectReader READER =
      JsonCodec.mapper()
          .readerFor(MergeQueue.class)
          .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private MergeQueueCodec() {}

  public static String encode(MergeQueue queue) {
    return WRITER.writeValueAsString(queue);
  }

  public static MergeQueue decode(String json) {
    return READER.readValue(json);
  }
}
