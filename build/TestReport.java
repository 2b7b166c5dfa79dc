import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints a summary of the test reports of all modules: the slowest test classes, each skipped test
 * with its reason, each failure in full, and as the last line the three counts. A skipped test
 * without a reason counts as a failure, and so does a report that cannot be read. Exits with 0 only
 * if a test passed and nothing failed.
 *
 * <p>usage: java TestReport.java ROOT [OTHER FAILURE]...
 */
final class TestReport {
  private static final int SLOWEST = 10;

  /** Messages of JUnit and AssertJ that only say that a test was skipped. */
  private static final Pattern NO_REASON =
      Pattern.compile(
          "assumption is not (true|false)|assumption was not met due to:.*|.* is @Disabled");

  private record TestClass(String name, double seconds) {}

  private int passed;
  private final List<TestClass> classes = new ArrayList<>();
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
      Element suite =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement();
      if (!suite.getAttribute("time").isEmpty()) {
        double seconds = Double.parseDouble(suite.getAttribute("time").replace(",", ""));
        classes.add(new TestClass(suite.getAttribute("name"), seconds));
      }
      NodeList tests = suite.getElementsByTagName("testcase");
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
      reason(skip)
          .ifPresentOrElse(
              reason -> skipped.add(name + ": " + reason),
              () -> failed.add(name + " was skipped without a reason"));
    } else {
      passed++;
    }
  }

  private static Optional<String> reason(Element skip) {
    String message = skip.getAttribute("message").strip();
    String text = message.isEmpty() ? skip.getTextContent().strip() : message;
    return text.lines()
        .findFirst()
        .map(line -> line.replaceFirst("^org.opentest4j.TestAbortedException(: )?", ""))
        .map(line -> line.replaceFirst("^Assumption failed: ", "").strip())
        .filter(line -> !line.isEmpty() && !NO_REASON.matcher(line).matches());
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
    if (!classes.isEmpty()) {
      out.println("\nSlowest test classes:");
      classes.stream()
          .sorted(Comparator.comparingDouble(TestClass::seconds).reversed())
          .limit(SLOWEST)
          .forEach(it ->
              out.println(String.format(Locale.ROOT, "  %7.1f s  %s", it.seconds(), it.name())));
    }
    if (!skipped.isEmpty()) {
      out.println("\nSkipped:");
      skipped.forEach(line -> out.println("  " + line));
    }
    if (!failed.isEmpty()) {
      out.println("\nFailed:");
      failed.forEach(line -> out.println("  " + line));
    }
    out.println(
        "\n%d passed, %d failed, %d skipped".formatted(passed, failed.size(), skipped.size()));
  }
}
