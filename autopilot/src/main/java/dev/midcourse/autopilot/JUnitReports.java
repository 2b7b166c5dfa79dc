package dev.midcourse.autopilot;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the failed tests from JUnit XML reports, as Maven, Gradle, pytest and others write them.
 * The files come from code under test: their size and number are bounded, and no declaration in
 * them is followed.
 */
final class JUnitReports {
  private static final int MAX_FINDINGS = 20;
  private static final int MAX_REPORTS = 2_000;
  private static final int MAX_DEPTH = 12;
  private static final long MAX_BYTES = 10L * 1024 * 1024;
  private static final Set<String> FOLDERS =
      Set.of("surefire-reports", "failsafe-reports", "test-results", "test-reports", "reports");
  private static final Set<String> LEFT_OUT = Set.of(".git", "node_modules");

  private JUnitReports() {}

  /** The failed tests of all reports in the checkout. A file that cannot be read is left out. */
  static List<ReportedFinding> failures(Path checkout) {
    List<ReportedFinding> failures = new ArrayList<>();
    for (Path report : reports(checkout)) {
      failures.addAll(readIfReport(report));
    }
    return failures.stream().limit(MAX_FINDINGS).toList();
  }

  private static List<Path> reports(Path checkout) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          checkout,
          Set.of(),
          MAX_DEPTH,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes is) {
              return LEFT_OUT.contains(String.valueOf(dir.getFileName()))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
              if (is.isRegularFile() && is.size() <= MAX_BYTES && isReport(checkout, file)) {
                found.add(file);
              }
              return found.size() < MAX_REPORTS
                  ? FileVisitResult.CONTINUE
                  : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException notReadable) {
      return List.of();
    }
    found.sort(null);
    return found;
  }

  /** An XML file whose name, or one of whose folders, says that it is a report of tests. */
  private static boolean isReport(Path checkout, Path file) {
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(".xml")) {
      return false;
    }
    if (name.startsWith("TEST-") || name.startsWith("junit")) {
      return true;
    }
    for (Path part : checkout.relativize(file)) {
      if (FOLDERS.contains(part.toString())) {
        return true;
      }
    }
    return false;
  }

  private static List<ReportedFinding> readIfReport(Path file) {
    try {
      return read(file);
    } catch (IOException | XMLStreamException notAReport) {
      return List.of();
    }
  }

  private static List<ReportedFinding> read(Path report) throws IOException, XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try (InputStream in = Files.newInputStream(report, LinkOption.NOFOLLOW_LINKS)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      List<ReportedFinding> failures = new ArrayList<>();
      String test = "";
      while (xml.hasNext() && failures.size() < MAX_FINDINGS) {
        if (xml.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        switch (xml.getLocalName()) {
          case "testcase" -> test = attribute(xml, "classname") + "." + attribute(xml, "name");
          case "failure", "error" -> failures.add(failure(test, xml));
          default -> {}
        }
      }
      return failures;
    }
  }

  private static ReportedFinding failure(String test, XMLStreamReader xml)
      throws XMLStreamException {
    String message = attribute(xml, "message");
    String text = text(xml);
    return ReportedFinding.of(
        Optional.empty(),
        0,
        Severity.MAJOR,
        "Test failed: " + test,
        WireNames.cut((message + "\n" + text).strip(), 3_000));
  }

  /** The text up to the end of the element, bounded. */
  private static String text(XMLStreamReader xml) throws XMLStreamException {
    StringBuilder text = new StringBuilder();
    int depth = 1;
    while (depth > 0 && xml.hasNext()) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> depth++;
        case XMLStreamConstants.END_ELEMENT -> depth--;
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (text.length() < 4_000) {
            text.append(xml.getText());
          }
        }
        default -> {}
      }
    }
    return text.toString();
  }

  private static String attribute(XMLStreamReader xml, String name) {
    return Optional.ofNullable(xml.getAttributeValue(null, name)).orElse("");
  }
}
