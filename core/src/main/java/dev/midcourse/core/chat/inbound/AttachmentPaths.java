package dev.midcourse.core.chat.inbound;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.chat.outbound.FileName;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Where the files of a message are put, below the folder of the run: {@code
 * midcourse-files/MESSAGE/1-name}. The name of the sender only ends the last part, in its safe
 * form.
 */
public final class AttachmentPaths {
  /** The folder for files of people, in the folder of a run. */
  public static final String FOLDER = "midcourse-files";

  private static final int DIGEST_LENGTH = 12;

  private AttachmentPaths() {}

  /** Returns the message with a path for each file that its channel can fetch. */
  public static InboundMessage assign(InboundMessage message) {
    if (message.attachments().isEmpty()) {
      return message;
    }
    String folder = FOLDER + "/" + digest(message.ref());
    List<Attachment> files = new ArrayList<>();
    for (Attachment file : message.attachments()) {
      String name = (files.size() + 1) + "-" + FileName.safe(file.name());
      files.add(
          new Attachment(
              file.name(),
              file.mediaType(),
              file.bytes(),
              file.reference(),
              file.reference().isBlank() ? Optional.empty() : Optional.of(folder + "/" + name)));
    }
    return message.withAttachments(files);
  }

  private static String digest(MessageRef ref) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(ref.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGEST_LENGTH);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
