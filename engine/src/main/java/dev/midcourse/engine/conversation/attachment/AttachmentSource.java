package dev.midcourse.engine.conversation.attachment;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import java.io.IOException;
import java.nio.file.Path;

/** Fetches files from platforms. */
@FunctionalInterface
public interface AttachmentSource {
  /**
   * Writes the content to the target, which does not exist yet.
   *
   * @throws IOException if it cannot be fetched, or has more than {@code maxBytes}
   */
  void fetch(ChannelName channel, Attachment file, Path target, long maxBytes) throws IOException;
}
