package dev.midcourse.hub.boot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Writes the log records of the hub and its libraries to {@code hub.log}. A full file is renamed to
 * {@code hub.log.1}, which replaces the previous one. Repeated records are left out.
 */
public final class HubLog extends Handler {
  private static final long MAX_BYTES = 1024 * 1024;
  private static final Logger ROOT = Logger.getLogger("");

  private final Path path;
  private final Optional<PrintStream> alsoTo;
  private final Runnable onFatalError;
  private final RepeatedRecords repeated = new RepeatedRecords();
  private OutputStream out;
  private long size;

  HubLog(Path path, Optional<PrintStream> alsoTo, Runnable onFatalError) throws IOException {
    this.path = path;
    this.alsoTo = alsoTo;
    this.onFatalError = onFatalError;
    this.out = append(path);
    this.size = Files.size(path);
    setFormatter(new RecordFormatter());
    setLevel(Level.INFO);
  }

  /** Sends all log records to the file from now on, and removes all other handlers. */
  public static HubLog open(Path path, Optional<PrintStream> alsoTo) throws IOException {
    HubLog log = new HubLog(path, alsoTo, FatalErrors::endProcess);
    for (Handler handler : ROOT.getHandlers()) {
      ROOT.removeHandler(handler);
    }
    ROOT.addHandler(log);
    return log;
  }

  private static OutputStream append(Path path) throws IOException {
    OutputStream out =
        Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    return out;
  }

  /** Ends the process if the record is about an error after which it cannot go on. */
  @Override
  public void publish(LogRecord record) {
    if (!isLoggable(record)) {
      return;
    }
    try {
      writeUnlessRepeated(record);
    } finally {
      if (FatalErrors.isFatal(record.getThrown())) {
        onFatalError.run();
      }
    }
  }

  private synchronized void writeUnlessRepeated(LogRecord record) {
    if (repeated.decide(record, record.getMillis())
        instanceof RepeatedRecords.Decision.Write(int leftOut)) {
      if (leftOut > 0) {
        write(leftOut + " more of the following record were left out\n");
      }
      write(getFormatter().format(record));
    }
  }

  private void write(String text) {
    byte[] line = text.getBytes(UTF_8);
    alsoTo.ifPresent(terminal -> terminal.writeBytes(line));
    try {
      if (size + line.length > MAX_BYTES) {
        turnOver();
      }
      out.write(line);
      size += line.length;
    } catch (IOException e) {
      reportError("hub.log", e, ErrorManager.WRITE_FAILURE);
    }
  }

  private void turnOver() throws IOException {
    out.close();
    Files.move(path, path.resolveSibling("hub.log.1"), StandardCopyOption.REPLACE_EXISTING);
    out = append(path);
    size = 0;
  }

  @Override
  public void flush() {
    // Does nothing: each line is written at once.
  }

  /** Writes a line of the hub itself. */
  public void say(String words) {
    LogRecord record = new LogRecord(Level.INFO, words);
    record.setLoggerName("hub");
    publish(record);
  }

  /** Does nothing: Java calls it at the end of the process, before the last records of the hub. */
  @Override
  public void close() {}

  /** Closes the file. Later records are not written. */
  public synchronized void finish() {
    ROOT.removeHandler(this);
    try {
      out.close();
    } catch (IOException e) {
      reportError("hub.log", e, ErrorManager.CLOSE_FAILURE);
    }
  }

  /** Formats a record: time, level, logger, message; the stack of a failure below it. */
  private static final class RecordFormatter extends Formatter {
    @Override
    public String format(LogRecord record) {
      StringWriter text = new StringWriter();
      text.append(Instant.ofEpochMilli(record.getMillis()).toString())
          .append(' ')
          .append(record.getLevel().getName())
          .append(' ')
          .append(shortName(record.getLoggerName()))
          .append(": ")
          .append(formatMessage(record))
          .append('\n');
      if (record.getThrown() != null) {
        record.getThrown().printStackTrace(new PrintWriter(text, true));
      }
      return text.toString();
    }

    private static String shortName(String logger) {
      return logger.substring(logger.lastIndexOf('.') + 1);
    }
  }
}
