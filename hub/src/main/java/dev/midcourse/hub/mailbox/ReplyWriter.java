package dev.midcourse.hub.mailbox;

import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.hub.mailbox.InboxMessages.InboxMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers to tasks in their order, and deletes a task only after its answer is written.
 * Retries an answer that cannot be written. One thread writes all answers that have come meanwhile
 * together.
 */
final class ReplyWriter implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ReplyWriter.class.getName());
  private static final long RETRY_DELAY_MILLIS = 1_000;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final GroupInbox input;
  private final Listener listener;
  private final BlockingQueue<Runnable> come = new LinkedBlockingQueue<>();
  private final List<Done> open = new ArrayList<>();
  private final Thread writer;
  private volatile boolean closed;

  /** A finished task with its answer and the place of its file. */
  record Done(
      MailboxDirectory from,
      String file,
      TaskHandler.Task task,
      MailboxDirectory.MailFile found,
      InboxMessage message) {
    private GroupInbox.NumberedFile answer(GroupInbox input) {
      return input.numbered(message.answering(file));
    }
  }

  /** Notified of each answered task, and whether another file has replaced it. */
  interface Listener {
    void answered(Done task, boolean another);
  }

  ReplyWriter(String group, GroupInbox input, Listener listener) {
    this.input = input;
    this.listener = listener;
    this.writer = Thread.ofPlatform().daemon().name("answers-" + group).unstarted(this::runWriter);
  }

  void start() {
    writer.start();
  }

  void add(Done done) {
    come.add(() -> open.add(done));
  }

  private void runWriter() {
    try {
      while (!closed) {
        @Nullable Runnable next =
            open.isEmpty() ? come.take() : come.poll(RETRY_DELAY_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.run();
        }
        List<Runnable> more = new ArrayList<>();
        come.drainTo(more);
        more.forEach(Runnable::run);
        if (!closed) {
          write();
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    int written = input.putAll(open.stream().map(done -> done.answer(input)).toList());
    List<Done> answered = open.subList(0, written);
    answered.stream().map(Done::from).distinct().forEach(from -> delete(from, answered));
    answered.clear();
  }

  private void delete(MailboxDirectory from, List<Done> answered) {
    List<Done> its = answered.stream().filter(done -> done.from().equals(from)).toList();
    try {
      from.opened(folder -> {
        for (Done done : its) {
          listener.answered(done, !folder.delete(done.file(), done.found()));
        }
        return from;
      });
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "Deleting answered tasks failed ({0}); they stay, and a repeated task has no second effect.",
          e.getMessage());
      its.forEach(done -> listener.answered(done, false));
    }
  }

  /**
   * Stops writing. A task without a written answer stays in its folder, and the next hub answers
   * it.
   */
  @Override
  public void close() {
    closed = true;
    come.add(() -> {});
    try {
      boolean _ = writer.getState() == Thread.State.NEW || writer.join(CLOSE_TIMEOUT);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
