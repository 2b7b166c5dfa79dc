package dev.midcourse.autopilot.report;

import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.finding.RdjsonReport;
import dev.midcourse.core.loop.finding.ReportContent;
import dev.midcourse.core.loop.finding.SarifReport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file that CI wrote as a report.
 *
 * @param path below the checkout
 * @param isNamed whether it is in the folder in which every file is a report
 */
record ReportFile(Path path, boolean isNamed) {
  static final int MAX_BYTES = 10 * 1024 * 1024;

  /** Held while a report is in memory, so that many loops need the memory of one report. */
  private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

  /**
   * Returns its findings.
   *
   * @throws UnreadableReportException if it is broken, too large, or of no known form
   */
  ReportContent read(String root) throws UnreadableReportException {
    ONE_AT_A_TIME.lock();
    try {
      return content(bytes(), root);
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }

  private byte[] bytes() throws UnreadableReportException {
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new UnreadableReportException("it has more than 10 MB");
      }
      return bytes;
    } catch (IOException e) {
      throw new UnreadableReportException("it cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static ReportContent content(byte[] bytes, String root) throws UnreadableReportException {
    int first = first(bytes);
    if (first == '<') {
      return JUnitReport.read(new ByteArrayInputStream(bytes));
    }
    if (first != '{') {
      throw new UnreadableReportException("it is neither XML nor JSON");
    }
    String text = decoded(bytes);
    Optional<JsonValue.Obj> object =
        JsonInput.parse(text)
            .filter(JsonValue.Obj.class::isInstance)
            .map(JsonValue.Obj.class::cast);
    if (object.filter(SarifReport::isSarif).isPresent()) {
      return SarifReport.read(object.get(), root);
    }
    if (object.filter(RdjsonReport::isRdjson).isPresent()) {
      return RdjsonReport.read(object.get(), root);
    }
    return RdjsonReport.readLines(text, root)
        .orElseThrow(() ->
            new UnreadableReportException(
                object.isPresent()
                    ? "it is neither SARIF 2.1.0 nor rdjson"
                    : "it is not well-formed JSON"));
  }

  /** The first byte after white space and a byte order mark; -1 if there is none. */
  private static int first(byte[] bytes) {
    for (byte it : bytes) {
      boolean mark = (it & 0xff) == 0xef || (it & 0xff) == 0xbb || (it & 0xff) == 0xbf;
      if (!mark && !Character.isWhitespace(it)) {
        return it;
      }
    }
    return -1;
  }

  private static String decoded(byte[] bytes) throws UnreadableReportException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException notUtf8) {
      throw new UnreadableReportException("it is not UTF-8", notUtf8);
    }
  }
}
