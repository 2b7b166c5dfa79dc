import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Sums up the test reports of all modules: which tests were skipped and why, each failure in full, and as the last
 * line the three counts. A report that cannot be read counts as a failure. Ends with 0 only if something passed and
 * nothing failed.
 *
 * <p>usage: java TestReport.java ROOT [WHAT ELSE FAILED]...
 */
final class TestReport {
  private int passed;
  private final List<String> skipped = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    TestReport report = new TestReport();
    report.failed.addAll(Arrays.asList(args).subList(1, args.length));
    for (Path file : reports(Path.of(args[0]))) {
      report.read(file);
    }
    PrintStream out = new PrintStream(System.out, false, UTF_8);
    report.print(out);
    out.flush();
    System.exit(report.failed.isEmpty() && report.passed > 0 ? 0 : 1);
  }

  private static List<Path> reports(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.filter(Files::isDirectory).sorted().toList()) {
        Path folder = module.resolve("target/surefire-reports");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> found = Files.list(folder)) {
            found
                .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                .sorted()
                .forEach(files::add);
          }
        }
      }
    }
    return files;
  }

  private void read(Path file) {
    try {
      NodeList tests =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getElementsByTagName("testcase");
      for (int i = 0; i < tests.getLength(); i++) {
        count((Element) tests.item(i));
      }
    } catch (Exception e) {
      failed.add("unreadable report " + file + ": " + e.getMessage());
    }
  }

  private void count(Element test) {
    String name = test.getAttribute("classname") + "." + test.getAttribute("name");
    Element failure = first(test, "failure", "error");
    Element skip = first(test, "skipped");
    if (failure != null) {
      failed.add(name + "\n" + failure.getTextContent().strip().indent(4));
    } else if (skip != null) {
      skipped.add(name + ": " + reason(skip));
    } else {
      passed++;
    }
  }

  private static String reason(Element skip) {
    String message = skip.getAttribute("message").strip();
    String text = message.isEmpty() ? skip.getTextContent().strip() : message;
    String reason =
        text.lines()
            .findFirst()
            .orElse("")
            .replaceFirst("^org.opentest4j.TestAbortedException(: )?", "")
            .replaceFirst("^Assumption failed: ", "");
    return reason.isEmpty() ? "no reason given" : reason;
  }

  private static Element first(Element test, String... names) {
    for (String name : names) {
      NodeList found = test.getElementsByTagName(name);
      if (found.getLength() > 0) {
        return (Element) found.item(0);
      }
    }
    return null;
  }

  private void print(PrintStream out) {
    if (!skipped.isEmpty()) {
      out.println("\nSkipped:");
      skipped.forEach(line -> out.println("  " + line));
    }
    if (!failed.isEmpty()) {
      out.println("\nFailed:");
      failed.forEach(line -> out.println("  " + line));
    }
    out.println("\n%d passed, %d failed, %d skipped".formatted(passed, failed.size(), skipped.size()));
  }
}
