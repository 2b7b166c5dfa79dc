package dev.midcourse.engine.conversation.attachment;

import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.AttachmentPaths;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.SteerService;
import dev.midcourse.ledger.Ledger;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Puts the files of messages into the folders of their runs. It fetches only after a message has
 * reached a run, so that no file of a stranger is fetched. A link in the folder, which an agent can
 * make, is not followed. If a file cannot be fetched, the agent is told.
 */
public final class AttachmentFetcher implements AutoCloseable {
  /** The greatest size of a file. */
  public static final int MAX_BYTES = 20 * 1024 * 1024;

  private static final Logger LOG = System.getLogger(AttachmentFetcher.class.getName());
  private static final String INCOMING = "incoming";
  private static final int MAX_AT_ONCE = 4;

  private final AttachmentSource source;
  private final Ledger ledger;
  private final SteerService steering;
  private final Path data;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore slots = new Semaphore(MAX_AT_ONCE);

  /**
   * @param data the data folder, for files that are not complete yet
   */
  public AttachmentFetcher(
      AttachmentSource source, Ledger ledger, SteerService steering, Path data) {
    this.source = source;
    this.ledger = ledger;
    this.steering = steering;
    this.data = data;
  }

  /** Begins to fetch what live runs wait for since an earlier hub ended. */
  public void start() {
    threads.execute(() -> {
      for (Run run : ledger.read(reading -> reading.liveRuns())) {
        for (InboundMessage message : messagesOf(run.id())) {
          fetch(run.id(), Path.of(run.spec().workspace()), message);
        }
      }
    });
  }

  /** The messages with files that opened the run, and those that became steers of it. */
  private List<InboundMessage> messagesOf(RunId run) {
    return ledger.read(reading ->
        Stream.concat(
                reading.chats().messagesOf(run).stream(),
                reading.steers(run).stream()
                    .flatMap(steer -> reading.chats().messagesOf(steer.id()).stream()))
            .flatMap(ref -> reading.chats().message(ref).stream())
            .map(stored -> stored.message())
            .filter(message -> !message.attachments().isEmpty())
            .toList());
  }

  /** Begins to fetch the files of a message of the run; returns at once. */
  public void fetch(RunId run, Path workspace, InboundMessage message) {
    for (Attachment file : message.attachments()) {
      file.savedAs()
          .ifPresent(path -> threads.execute(() -> fetch(run, workspace, message, file, path)));
    }
  }

  private void fetch(
      RunId run, Path workspace, InboundMessage message, Attachment file, String savedAs) {
    Path incomplete = data.resolve(INCOMING).resolve(savedAs.replace('/', '-'));
    try {
      slots.acquire();
      try {
        String[] parts = savedAs.split("/", -1);
        MailboxDirectory folder =
            new MailboxDirectory(workspace, List.of(parts[0], parts[1])).made();
        if (folder.has(parts[2])) {
          return;
        }
        if (file.bytes() > MAX_BYTES) {
          throw new IOException("it has more than " + MAX_BYTES + " bytes");
        }
        Files.createDirectories(data.resolve(INCOMING));
        Files.deleteIfExists(incomplete);
        source.fetch(message.ref().channel(), file, incomplete, MAX_BYTES);
        new MailboxDirectory(workspace, List.of(AttachmentPaths.FOLDER)).write(".gitignore", "*\n");
        folder.write(parts[2], Files.readAllBytes(incomplete));
      } finally {
        slots.release();
        Files.deleteIfExists(incomplete);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      tell(run, savedAs, String.valueOf(e.getMessage()));
    }
  }

  private void tell(RunId run, String savedAs, String reason) {
    LOG.log(
        Level.WARNING,
        "The file {0} of a message could not be fetched for run {1} ({2}). The agent is told.",
        savedAs,
        run,
        reason);
    try {
      steering.submit(
          run,
          Author.news(),
          SteerRequest.steer("The file " + savedAs + " could not be fetched: " + reason)
              .withMode(SteerMode.NEXT)
              .withKey(IdempotencyKey.of("file-" + run + "-" + savedAs.hashCode())));
    } catch (RefusedException ended) {
      LOG.log(Level.DEBUG, "Run {0} has ended before it could be told.", run);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
