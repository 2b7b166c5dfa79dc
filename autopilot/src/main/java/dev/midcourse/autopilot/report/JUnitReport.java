package dev.midcourse.autopilot.report;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.loop.finding.ReportContent;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the failed tests from a JUnit XML report, as Maven, Gradle, pytest and others write it. No
 * declaration in it is followed.
 */
final class JUnitReport {
  private static final int MAX_TEXT = 4_000;
  private static final Set<String> ROOTS = Set.of("testsuite", "testsuites");

  private JUnitReport() {}

  /**
   * Returns the failed tests. An XML file that is no report of tests has none.
   *
   * @throws UnreadableReportException if the file is no whole XML document
   */
  static ReportContent read(InputStream in) throws UnreadableReportException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      return read(factory.createXMLStreamReader(in));
    } catch (XMLStreamException broken) {
      throw new UnreadableReportException("it is not well-formed XML", broken);
    }
  }

  private static ReportContent read(XMLStreamReader xml) throws XMLStreamException {
    List<ReportedFinding> failures = new ArrayList<>();
    int omitted = 0;
    boolean isRoot = true;
    Test test = new Test("", Optional.empty(), 0);
    while (xml.hasNext()) {
      if (xml.next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      if (isRoot && !ROOTS.contains(xml.getLocalName())) {
        return ReportContent.NOTHING;
      }
      isRoot = false;
      switch (xml.getLocalName()) {
        case "testcase" -> test = Test.of(xml);
        case "failure", "error" -> {
          if (failures.size() < ReportContent.MAX_FINDINGS) {
            failures.add(failure(test, xml));
          } else {
            omitted++;
          }
        }
        default -> {}
      }
    }
    return new ReportContent(failures, omitted);
  }

  /** A test, and its place if the report has one. */
  private record Test(String name, Optional<String> file, int line) {
    static Test of(XMLStreamReader xml) {
      String type = attribute(xml, "classname");
      String line = attribute(xml, "line");
      return new Test(
          (type.isEmpty() ? "" : type + ".") + attribute(xml, "name"),
          Optional.of(attribute(xml, "file")).filter(it -> !it.isEmpty()),
          line.matches("[0-9]{1,9}") ? Integer.parseInt(line) : 0);
    }
  }

  private static ReportedFinding failure(Test test, XMLStreamReader xml) throws XMLStreamException {
    String message = attribute(xml, "message");
    String text = text(xml);
    return ReportedFinding.of(
        test.file(),
        test.line(),
        Severity.MAJOR,
        "Test failed: " + test.name(),
        WireNames.cut((message + "\n" + text).strip(), MAX_TEXT));
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
          if (text.length() < MAX_TEXT) {
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
