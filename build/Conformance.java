import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Joins the catalogue of failures (proof/conformance.txt) with the tests that are named after them
 * ({@code t07_...}) and with the reports of their last run. {@code check} ends with 1 and says why
 * if a failure has neither a passing test nor a reason, if one of its tests failed, if a test is
 * named after a failure that is not in the catalogue or does not say what it guards against, or if
 * docs/conformance.md is not what would be written, but for the results: those are of the machine
 * on which it was written, and what another one lacks and skips makes no difference. {@code write}
 * writes it, if the rest holds, with every skip in it.
 *
 * <p>usage: java Conformance.java ROOT check|write
 */
final class Conformance {
  private static final String CATALOGUE = "proof/conformance.txt";
  private static final String DOCUMENT = "docs/conformance.md";
  private static final String REASON = "not here";
  private static final String HEAD =
      """
      # Known failures of other systems, and the test for each

      Systems that steer agents lose, duplicate, misdeliver and misreport messages in similar ways. This page lists these
      failures and the tests that check that Midcourse does not have them. The name of a test begins with the number of the
      failure. The test is at the lowest level at which the failure can occur; failures of agents are also tested with every real
      agent. The comment of a test says which change of the program makes it fail.

      T131 to T161 are no failures: they are what the tests of one such system check, and the test that checks the same here.

      `java build/Conformance.java . write` generates this page from `proof/conformance.txt`, the tests and the reports of their
      last run. It writes the page only if every number has a test that passed and none that failed. `./verify` checks this
      again, and that everything except the results is up to date. The results are from the machine on which the page was
      generated, one line per test, counted over all classes that run it; a test whose requirements were missing counts as
      skipped.

      | | failure elsewhere | promise here | tests | result |
      |---|---|---|---|---|
      """;
  private static final Pattern TEST = Pattern.compile("\\bvoid ((?:t\\d{2,3}_)+)(\\w+)\\(");
  private static final Pattern METHOD = Pattern.compile("\\)\\s*(throws [\\w, ]+)?\\{");
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
  private static final Pattern TYPE =
      Pattern.compile(
          "^( *)(?:[\\w ]*? )??(abstract )?(?:[\\w ]+ )?class (\\w+)(?: extends (\\w+))?",
          Pattern.MULTILINE);
  private static final Pattern REPORTED = Pattern.compile("^((?:t\\d{2,3}_)+\\w+)");

  private final Path root;
  private final Map<String, Map<String, String>> failures = new LinkedHashMap<>();
  private final Map<String, List<NumberedTest>> tests = new TreeMap<>();
  private final Map<String, TestClass> classes = new TreeMap<>();
  private final Map<String, Counts> counts = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  /** A test that stands for one failure or more. */
  record NumberedTest(String name, String sentence, String file, String inClass) {}

  /**
   * A class of tests by its whole name, {@code a.Outer$Inner} if it stands in another; {@code
   * parent} is one too, or is none that has tests.
   */
  record TestClass(String name, boolean isAbstract, String parent) {
    String fileName() {
      return name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
    }
  }

  /** Where in a file a class begins, and how far it is indented. */
  record Place(int begin, int indent, TestClass type) {}

  /** How the cases of a test went. */
  record Counts(int passed, int failed, int skipped) {
    static final Counts NONE = new Counts(0, 0, 0);

    Counts plus(Counts more) {
      return new Counts(passed + more.passed, failed + more.failed, skipped + more.skipped);
    }
  }

  private Conformance(Path root) {
    this.root = root;
  }

  public static void main(String[] args) throws Exception {
    if (args.length != 2 || !List.of("check", "write").contains(args[1])) {
      System.err.println("usage: java Conformance.java ROOT check|write");
      System.exit(2);
    }
    Conformance conformance = new Conformance(Path.of(args[0]));
    conformance.join();
    if (args[1].equals("check")) {
      conformance.compareDocument();
    } else if (conformance.problems.isEmpty()) {
      Files.writeString(conformance.root.resolve(DOCUMENT), conformance.document());
    }
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    conformance.problems.forEach(problem -> out.println("[ERROR] " + problem));
    System.exit(conformance.problems.isEmpty() ? 0 : 1);
  }

  private void join() throws Exception {
    readCatalogue();
    for (Path module : folders(root)) {
      readTests(module.resolve("src/test/java"));
      readReports(module.resolve("target/surefire-reports"));
    }
    failures.forEach(this::judge);
    tests.values().stream().flatMap(List::stream).distinct().forEach(this::reportTrouble);
    for (String number : tests.keySet()) {
      if (!failures.containsKey(number)) {
        problems.add(number + " is not in " + CATALOGUE + ", but a test is named after it");
      }
    }
  }

  private void judge(String number, Map<String, String> failure) {
    List<NumberedTest> its = tests.getOrDefault(number, List.of());
    boolean reason = failure.containsKey(REASON);
    for (String field : reason ? List.of("elsewhere") : List.of("elsewhere", "promise")) {
      if (!failure.containsKey(field)) {
        problems.add(number + " has no line \"" + field + ":\" in " + CATALOGUE);
      }
    }
    if (reason && !its.isEmpty()) {
      problems.add(number + " cannot happen here, says " + CATALOGUE + ", but there is a test");
    }
    if (!reason && its.isEmpty()) {
      problems.add(number + " has neither a test nor a line \"" + REASON + ":\"");
    } else if (!reason && its.stream().noneMatch(test -> all(test).passed() > 0)) {
      problems.add(number + " has no test that passed");
    }
  }

  private void reportTrouble(NumberedTest test) {
    for (TestClass runner : runners(test.inClass())) {
      Counts its = counts.getOrDefault(runner.name() + "#" + test.name(), Counts.NONE);
      if (its.failed() > 0) {
        problems.add(test.name() + " failed in " + runner.fileName());
      }
    }
  }

  /** Over all the classes that it runs in. */
  private Counts all(NumberedTest test) {
    return runners(test.inClass()).stream()
        .map(runner -> counts.getOrDefault(runner.name() + "#" + test.name(), Counts.NONE))
        .reduce(Counts.NONE, Counts::plus);
  }

  /** The classes in which the tests of this one run: itself, and those that are made from it. */
  private List<TestClass> runners(String name) {
    List<TestClass> runners = new ArrayList<>();
    for (TestClass each : classes.values()) {
      if (each.parent().equals(name)) {
        runners.addAll(runners(each.name()));
      }
    }
    TestClass itself = classes.get(name);
    if (itself != null && !itself.isAbstract()) {
      runners.add(itself);
    }
    return runners;
  }

  private void readCatalogue() throws IOException {
    Map<String, String> entry = Map.of();
    String field = "";
    for (String line : Files.readAllLines(root.resolve(CATALOGUE))) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.matches("T\\d+")) {
        entry = new LinkedHashMap<>();
        failures.put(line, entry);
      } else if (line.startsWith("  ")) {
        entry.merge(field, line.strip(), (before, more) -> before + " " + more);
      } else {
        field = line.substring(0, Math.max(0, line.indexOf(':')));
        entry.put(field, line.substring(line.indexOf(':') + 1).strip());
      }
    }
  }

  private void readTests(Path sources) throws IOException {
    if (!Files.isDirectory(sources)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(sources)) {
      files =
          all.filter(file -> file.toString().endsWith(".java"))
              .sorted()
              .collect(Collectors.toList());
    }
    for (Path file : files) {
      String text = Files.readString(file);
      List<Place> types = readClasses(text);
      Matcher method = TEST.matcher(text);
      while (method.find()) {
        String place = root.relativize(file).toString().replace('\\', '/');
        String sentence = method.group(2).replace('_', ' ');
        String inClass =
            around(types, method.start(), indentAt(text, method.start()))
                .map(TestClass::name)
                .orElse("");
        NumberedTest test =
            new NumberedTest(method.group(1) + method.group(2), sentence, place, inClass);
        String comment = commentBefore(text, method.start()).replaceAll("[\\s*]+", " ");
        if (!comment.contains("een to fail when")) {
          problems.add(test.name() + " does not say in its comment when it was seen to fail");
        }
        for (String number : method.group(1).split("_")) {
          String name = "T" + Integer.parseInt(number.substring(1));
          tests.computeIfAbsent(name, missing -> new ArrayList<>()).add(test);
        }
      }
    }
  }

  /** The classes of a file, as they stand in each other. */
  private List<Place> readClasses(String text) {
    List<Place> places = new ArrayList<>();
    Matcher packaged = PACKAGE.matcher(text);
    String prefix = packaged.find() ? packaged.group(1) + "." : "";
    Matcher type = TYPE.matcher(text);
    while (type.find()) {
      int indent = type.group(1).length();
      String outer =
          around(places, type.start(), indent).map(around -> around.name() + "$").orElse(prefix);
      String parent = type.group(4) == null ? "" : type.group(4);
      Matcher imported =
          Pattern.compile("^import ([\\w.]+\\." + parent + ");", Pattern.MULTILINE).matcher(text);
      String whole = imported.find() ? imported.group(1) : prefix + parent;
      TestClass found = new TestClass(outer + type.group(3), type.group(2) != null, whole);
      classes.put(found.name(), found);
      places.add(new Place(type.start(), indent, found));
    }
    return places;
  }

  /** The innermost class around a place: the last before it that is indented less. */
  private static Optional<TestClass> around(List<Place> types, int place, int indent) {
    return types.stream()
        .filter(type -> type.begin() < place && type.indent() < indent)
        .reduce((first, second) -> second)
        .map(Place::type);
  }

  private static int indentAt(String text, int place) {
    String line = text.substring(text.lastIndexOf('\n', place) + 1, place);
    return line.length() - line.stripLeading().length();
  }

  /** The comment that belongs to what begins at this place: no other method is between. */
  private static String commentBefore(String text, int place) {
    int end = text.lastIndexOf("*/", place);
    int begin = text.lastIndexOf("/**", end);
    boolean another = end >= 0 && METHOD.matcher(text.substring(end, place)).find();
    return end < 0 || another ? "" : text.substring(begin, end);
  }

  private void readReports(Path folder) throws Exception {
    if (!Files.isDirectory(folder)) {
      return;
    }
    for (Path file : files(folder, "TEST-.*\\.xml")) {
      NodeList cases =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getElementsByTagName("testcase");
      for (int i = 0; i < cases.getLength(); i++) {
        Element test = (Element) cases.item(i);
        Matcher name = REPORTED.matcher(test.getAttribute("name"));
        if (name.find()) {
          counts.merge(
              test.getAttribute("classname") + "#" + name.group(1), outcome(test), Counts::plus);
        }
      }
    }
  }

  private static Counts outcome(Element test) {
    if (has(test, "failure", "error")) {
      return new Counts(0, 1, 0);
    }
    return has(test, "skipped") ? new Counts(0, 0, 1) : new Counts(1, 0, 0);
  }

  private static boolean has(Element test, String... names) {
    return Arrays.stream(names).anyMatch(name -> test.getElementsByTagName(name).getLength() > 0);
  }

  private void compareDocument() throws IOException {
    Path file = root.resolve(DOCUMENT);
    if (!Files.exists(file)
        || !withoutResults(Files.readString(file)).equals(withoutResults(document()))) {
      problems.add(
          DOCUMENT + " is not up to date; write it with: java build/Conformance.java . write");
    }
  }

  /** The page without its last column. */
  private static String withoutResults(String page) {
    return page.replaceAll("(?m)\\|[^|\n]*\\|$", "|");
  }

  private String document() {
    StringBuilder text = new StringBuilder(HEAD);
    failures.forEach((number, failure) -> text.append(row(number, failure)));
    return text.toString();
  }

  private String row(String number, Map<String, String> failure) {
    String reason = failure.get(REASON);
    String here = reason == null ? failure.get("promise") : "Cannot happen: " + reason;
    List<NumberedTest> its =
        tests.getOrDefault(number, List.of()).stream()
            .sorted((a, b) -> rank(a) - rank(b))
            .collect(Collectors.toList());
    String shown =
        its.stream()
            .map(test -> "[" + test.sentence() + "](../" + test.file() + ")" + where(test))
            .collect(Collectors.joining("<br>"));
    String result =
        reason == null ? its.stream().map(this::result).collect(Collectors.joining("<br>")) : "-";
    return "| "
        + String.join(" | ", number, failure.get("elsewhere"), here, shown, result)
        + " |\n";
  }

  private String result(NumberedTest test) {
    Counts all = all(test);
    if (all.equals(Counts.NONE)) {
      return "not run";
    }
    return all.passed()
        + " passed"
        + in("skipped", test, its -> its.skipped() > 0)
        + in("not run", test, Counts.NONE::equals);
  }

  /** The classes in which a test went so, if there are any. */
  private String in(String how, NumberedTest test, Predicate<Counts> so) {
    List<String> where =
        runners(test.inClass()).stream()
            .filter(runner ->
                so.test(counts.getOrDefault(runner.name() + "#" + test.name(), Counts.NONE)))
            .map(TestClass::fileName)
            .distinct()
            .sorted()
            .collect(Collectors.toList());
    return where.isEmpty() ? "" : "; " + how + " in " + String.join(", ", where);
  }

  private static int rank(NumberedTest test) {
    return Arrays.asList("core", "ledger", "agents", "gateway", "engine", "autopilot", "channels", "hub", "cli", "proof")
        .indexOf(test.file().substring(0, test.file().indexOf('/')));
  }

  /** Where a test runs, if that is not just where it stands. */
  private String where(NumberedTest test) {
    List<TestClass> runners = runners(test.inClass());
    boolean justHere = runners.size() == 1 && runners.get(0).name().equals(test.inClass());
    return runners.isEmpty() || justHere
        ? ""
        : runners.stream()
            .map(TestClass::fileName)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", ", " (", ")"));
  }

  private static List<Path> folders(Path root) throws IOException {
    try (Stream<Path> all = Files.list(root)) {
      return all.filter(Files::isDirectory).sorted().collect(Collectors.toList());
    }
  }

  private static List<Path> files(Path folder, String name) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().matches(name))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
