package dev.midcourse.agents.git;

import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds files in a git folder that git trusts and that neither git nor a user puts there, but that
 * a program with access to the folder could have written. The hub does not use a clone with such a
 * file. Settings, hooks and replace references of the clone itself belong to its user and are not
 * judged; the hub does not use them either.
 *
 * @param common the folder with settings, objects and references
 */
record CloneCheck(Path common) {
  static final String OWN_FOLDER = "midcourse";

  private static final int MAX_DEPTH = 12;
  private static final int MAX_FILES = 20_000;
  private static final int MAX_FINDINGS = 20;
  private static final long MAX_SETTINGS_BYTES = 1024 * 1024;

  /** Settings of a submodule that name a program, or a file with further settings. */
  private static final Pattern PROGRAM =
      Pattern.compile(
          "core\\.(fsmonitor|sshcommand|pager|editor|hookspath|gitproxy|askpass|worktree"
              + "|alternaterefscommand|attributesfile)"
              + "|(diff|merge|filter|gpg|credential|browser|man|difftool|mergetool|pager|alias|hook"
              + "|include|includeif|url|uploadpack|sequence|interactive|ssh|guitool|imap"
              + "|lfs\\.(customtransfer|extension)|gc\\.recentobjectshook|submodule\\..*\\.update"
              + "|trailer\\..*\\.(command|cmd)|sendemail\\..*(cmd|smtpserver)|remote\\.[^=]*"
              + "\\.(uploadpack|receivepack|vcs|proxy))\\b.*",
          Pattern.DOTALL);

  /** Written by git itself into the settings of a submodule. */
  private static final Pattern GIT_OWN_SETTINGS =
      Pattern.compile(
          "core\\.worktree=\\.\\./.*|submodule\\..*\\.update=(checkout|rebase|merge|none)",
          Pattern.DOTALL);

  /**
   * A file that git trusts and that was tampered with.
   *
   * @param how what is wrong with it
   * @param settings the settings to remove; empty if the whole file is wrong
   */
  record Finding(Path file, String how, List<String> settings) {
    RefusedException refused() {
      return GitDirectory.tampered(file, how);
    }
  }

  /** Refuses a clone with at least one finding. */
  void refuse() {
    findings().stream()
        .findFirst()
        .ifPresent(found -> {
          throw found.refused();
        });
  }

  List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    Path other = common.resolve("commondir");
    if (Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
      found.add(
          new Finding(other, "it makes git use other settings than those of the clone", List.of()));
    }
    alternates().ifPresent(found::add);
    found.addAll(links());
    for (Path modules : moduleFolders()) {
      modules(modules, found);
    }
    return found;
  }

  /** Only Midcourse makes its folders here, and it makes no links. */
  private List<Finding> links() {
    Path own = common.resolve(OWN_FOLDER);
    return Stream.concat(Stream.of(own), listed(own).stream())
        .filter(Files::isSymbolicLink)
        .map(link ->
            new Finding(link, "it leads to a folder that Midcourse has not made", List.of()))
        .toList();
  }

  /** A folder of objects within a checkout is one that an agent can write. */
  private Optional<Finding> alternates() {
    Path file = common.resolve("objects/info/alternates");
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    List<Path> checkouts = checkouts();
    boolean foreign =
        !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            || lines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> target(file, line))
                .anyMatch(path -> checkouts.stream().anyMatch(path::startsWith));
    return foreign
        ? Optional.of(new Finding(file, "it takes objects from a checkout", List.of()))
        : Optional.empty();
  }

  /** Returns the folder that a line names: absolute, relative to the objects, or in quotes. */
  private static Path target(Path alternates, String line) {
    String name = line.startsWith("\"") ? line.replace("\"", "") : line;
    return alternates.resolve("../..").resolve(name).normalize();
  }

  private List<Path> checkouts() {
    return listed(common.resolve("worktrees")).stream()
        .map(worktree -> worktree.resolve("gitdir"))
        .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
        .flatMap(file -> lines(file).stream().limit(1))
        .map(line -> Path.of(line).normalize().getParent())
        .filter(java.util.Objects::nonNull)
        .toList();
  }

  private List<Path> moduleFolders() {
    return Stream.concat(Stream.of(common), listed(common.resolve("worktrees")).stream())
        .map(git -> git.resolve("modules"))
        .filter(modules -> Files.isDirectory(modules, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  private static void modules(Path folder, List<Finding> found) {
    try (Stream<Path> files = Files.walk(folder, MAX_DEPTH)) {
      files
          .limit(MAX_FILES)
          .filter(file -> !file.toString().contains("/objects/"))
          .filter(file -> Files.exists(file.resolveSibling("HEAD"), LinkOption.NOFOLLOW_LINKS))
          .takeWhile(_ -> found.size() < MAX_FINDINGS)
          .forEach(file -> module(file, found));
    } catch (IOException | java.io.UncheckedIOException unreadable) {
      found.add(new Finding(folder, "it cannot be read", List.of()));
    }
  }

  private static void module(Path file, List<Finding> found) {
    switch (String.valueOf(file.getFileName())) {
      case "commondir" ->
          found.add(new Finding(file, "it makes git use other settings", List.of()));
      case "config", "config.worktree" -> {
        List<String> programs = programs(file);
        if (!programs.isEmpty()) {
          found.add(
              new Finding(file, "it names a program: " + String.join(", ", programs), programs));
        }
      }
      case "HEAD" -> {}
      default -> {}
    }
  }

  /** Returns the names of the settings that name a program. */
  private static List<String> programs(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of("(not a file)");
    }
    try {
      if (Files.size(file) > MAX_SETTINGS_BYTES) {
        return List.of("(too large)");
      }
    } catch (IOException e) {
      return List.of("(unreadable)");
    }
    Git.Result read = Git.settingsOf(file);
    if (!read.ok()) {
      return List.of("(unreadable)");
    }
    return read.names().stream()
        .map(setting -> setting.replaceFirst("\n", "="))
        .filter(setting -> !GIT_OWN_SETTINGS.matcher(setting).matches())
        .map(setting -> setting.split("=", 2)[0])
        .filter(name -> PROGRAM.matcher(name.toLowerCase(Locale.ROOT)).matches())
        .distinct()
        .toList();
  }

  private static List<Path> listed(Path folder) {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found.limit(MAX_FILES).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.size(file) > MAX_SETTINGS_BYTES ? List.of() : Files.readAllLines(file);
    } catch (IOException unreadable) {
      return List.of();
    }
  }
}
