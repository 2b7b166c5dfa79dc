package dev.midcourse.hub;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.awaitility.Awaitility;

/** The messages that the classes of a package log while this is open. */
final class LogMessages extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> messages = new CopyOnWriteArrayList<>();

  private LogMessages(Logger logger) {
    this.logger = logger;
  }

  static LogMessages of(String packageName) {
    Logger logger = Logger.getLogger(packageName);
    LogMessages messages = new LogMessages(logger);
    logger.addHandler(messages);
    return messages;
  }

  List<String> all() {
    return List.copyOf(messages);
  }

  void await(Predicate<String> is) {
    Awaitility.await().atMost(MailboxFixture.LONG).until(() -> messages.stream().anyMatch(is));
  }

  @Override
  public void publish(LogRecord entry) {
    messages.add(new SimpleFormatter().formatMessage(entry));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
