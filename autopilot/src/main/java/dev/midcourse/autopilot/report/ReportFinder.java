package dev.midcourse.autopilot.report;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds the reports that one run of CI wrote where tools put them. */
final class ReportFinder {
  /** The folder of a checkout in which every file is a report, whatever its name. */
  static final String FOLDER = "midcourse-reports";

  private static final int MAX_REPORTS = 2_000;
  private static final int MAX_DEPTH = 12;
  private static final Set<String> TEST_FOLDERS =
      Set.of("surefire-reports", "failsafe-reports", "test-results", "test-reports", "reports");
  private static final Set<String> LEFT_OUT = Set.of(".git", "node_modules");
  private static final List<String> ENDINGS =
      List.of(".sarif", ".sarif.json", ".rdjson", ".rdjsonl");

  private ReportFinder() {}

  /**
   * Returns the reports in the checkout that were written since, those of the folder {@link
   * #FOLDER} first.
   */
  static List<ReportFile> find(Path checkout, Instant since) {
    List<ReportFile> found = new ArrayList<>();
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
              Path inside = checkout.relativize(file);
              boolean named = inside.startsWith(FOLDER);
              if (is.isRegularFile()
                  && !is.lastModifiedTime().toInstant().isBefore(since)
                  && (named || isReport(inside))) {
                found.add(new ReportFile(file, named));
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
    found.sort(
        Comparator.comparing(ReportFile::isNamed).reversed().thenComparing(ReportFile::path));
    return found;
  }

  /** A file whose name, or one of whose folders, says that it is a report. */
  private static boolean isReport(Path inside) {
    String name = String.valueOf(inside.getFileName()).toLowerCase(Locale.ROOT);
    if (ENDINGS.stream().anyMatch(name::endsWith)) {
      return true;
    }
    if (!name.endsWith(".xml")) {
      return false;
    }
    if (name.startsWith("test-") || name.startsWith("junit")) {
      return true;
    }
    for (Path part : inside) {
      if (TEST_FOLDERS.contains(part.toString())) {
        return true;
      }
    }
    return false;
  }
}
