package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each guarantee of docs/security.md names tests, and these tests exist. */
class SecurityPageTest {
  /** A test class in backquotes, perhaps with a list of its methods. */
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z]\\w+(?:Test|Suite))`(?:: ([\\w, ]+))?");

  private static final int MIN_GUARANTEES = 50;
  private static final List<String> MODULES =
      List.of(
          "core",
          "ledger",
          "agents",
          "gateway",
          "engine",
          "autopilot",
          "channels",
          "hub",
          "cli",
          "proof");

  /** Seen to fail when a method of a row was renamed, and when a row had no test. */
  @Test
  void each_guarantee_names_tests_that_exist() throws IOException {
    Map<String, String> tests = tests();
    List<String> rows =
        Files.readString(Clone.ROOT.resolve("docs/security.md"))
            .lines()
            .dropWhile(line -> !line.equals("## Guarantees"))
            .filter(line -> line.startsWith("| ") && !line.startsWith("| guarantee "))
            .toList();
    assertThat(rows).hasSizeGreaterThan(MIN_GUARANTEES);
    List<String> wrong = new ArrayList<>();
    for (String row : rows) {
      Matcher named = NAMED.matcher(row);
      boolean any = false;
      while (named.find()) {
        any = true;
        String source = tests.getOrDefault(named.group(1), "");
        if (source.isEmpty()) {
          wrong.add("there is no test class " + named.group(1));
        }
        for (String method : Optional.ofNullable(named.group(2)).orElse("").split(",", -1)) {
          if (!source.contains(method.strip())) {
            wrong.add(named.group(1) + " has no test " + method.strip());
          }
        }
      }
      if (!any) {
        wrong.add("no test is named in: " + row);
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** The source of each test class, by its name. */
  private static Map<String, String> tests() throws IOException {
    Map<String, String> tests = new HashMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Clone.ROOT.resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
          tests.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
        }
      }
    }
    return tests;
  }
}
