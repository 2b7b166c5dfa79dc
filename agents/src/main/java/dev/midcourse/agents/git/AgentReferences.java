package dev.midcourse.agents.git;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the references of a git folder that an agent can write. The files are read as text, with a
 * limit and without following links, because git itself would read the settings next to them.
 *
 * @param folder the git folder
 * @param head the file HEAD of the work tree, seen from the git folder
 */
record AgentReferences(Path folder, Path head) {
  private static final int MAX_LINE_BYTES = 8_192;
  private static final int MAX_PACKED_BYTES = 32 * 1024 * 1024;
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
  private static final Pattern PACKED = Pattern.compile("([0-9a-f]{40}|[0-9a-f]{64}) (refs/\\S+)");

  /** The names that git allows for a branch, without those that are hard to read. */
  private static final Pattern BRANCH =
      Pattern.compile("refs/heads/[A-Za-z0-9_][A-Za-z0-9_.+@-]*(/[A-Za-z0-9_][A-Za-z0-9_.+@-]*)*");

  /** Returns the reference of the branch that is checked out. Empty for any other HEAD. */
  Optional<String> branch() {
    return AgentFile.text(folder, head, MAX_LINE_BYTES)
        .map(String::strip)
        .filter(line -> line.startsWith("ref: "))
        .map(line -> line.substring("ref: ".length()).strip())
        .filter(name -> BRANCH.matcher(name).matches() && !name.contains(".."));
  }

  /** Returns the commit that is checked out without a branch. Empty for any other HEAD. */
  Optional<String> detachedHead() {
    return AgentFile.text(folder, head, MAX_LINE_BYTES)
        .map(String::strip)
        .filter(line -> COMMIT.matcher(line).matches());
  }

  /** Returns the commit of a reference. Empty if it does not exist or refers to another one. */
  Optional<String> commit(String reference) {
    Path file = Path.of(reference);
    if (Files.exists(folder.resolve(file), LinkOption.NOFOLLOW_LINKS)
        && !Files.isDirectory(folder.resolve(file), LinkOption.NOFOLLOW_LINKS)) {
      return AgentFile.text(folder, file, MAX_LINE_BYTES)
          .map(String::strip)
          .filter(line -> COMMIT.matcher(line).matches());
    }
    return Optional.ofNullable(packed().get(reference));
  }

  /** Returns the references of the file with many references. Lines of other forms are ignored. */
  Map<String, String> packed() {
    Map<String, String> found = new TreeMap<>();
    AgentFile.text(folder, Path.of("packed-refs"), MAX_PACKED_BYTES)
        .ifPresent(text ->
            text.lines()
                .forEach(line -> {
                  Matcher reference = PACKED.matcher(line);
                  if (reference.matches()) {
                    found.put(reference.group(2), reference.group(1));
                  }
                }));
    return found;
  }
}
