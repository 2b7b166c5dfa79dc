package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Takes commits of an agent into the repository, in the way a push does. One git packs the objects,
 * another hashes each of them again and checks that no link leads to a missing object. So a file
 * that claims to be another object is found. From the folder of the agent only object files are
 * used; a file that names further folders is not.
 *
 * @param repository the repository that gets the objects
 * @param place a folder of our own on the same file system
 * @param objects the object folder that the agent can write
 */
record ObjectImport(GitDirectory repository, Path place, Path objects) {
  private static final int MAX_FILES = 500_000;
  private static final Pattern FAN = Pattern.compile("[0-9a-f]{2}");
  private static final Pattern LOOSE = Pattern.compile("[0-9a-f]{38}|[0-9a-f]{62}");
  private static final Pattern PACK = Pattern.compile("pack-[0-9a-f]{40,64}\\.(pack|idx)");

  /** Takes over everything that the tip has and the base does not have. */
  void take(String tip, String base) {
    try (ObjectView view = ObjectView.within(place, repository)) {
      if (isWhole(tip, base)) {
        return;
      }
      link(view.objects());
      transfer(view, tip, base);
    } catch (IOException e) {
      throw new RefusedException(refused(String.valueOf(e.getMessage())), e);
    }
    if (!isWhole(tip, base)) {
      throw refused("objects are missing").refused();
    }
  }

  /** Whether the repository itself has the commit with everything that it refers to. */
  private boolean isWhole(String tip, String base) {
    try (ObjectView view = ObjectView.of(repository)) {
      Git git = view.git();
      return git.call("cat-file", "-e", tip + "^{commit}").ok()
          && (base.isEmpty()
                  ? git.call("rev-list", "--objects", "--quiet", tip)
                  : git.call("rev-list", "--objects", "--quiet", tip, "^" + base))
              .ok();
    }
  }

  /**
   * Puts the object files of the agent into a folder of our own as hard links. A link to another
   * file is told apart afterwards, when the agent cannot exchange it any more.
   */
  private void link(Path to) throws IOException {
    if (!Files.isDirectory(objects, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(objects + " is not a folder");
    }
    int count = 0;
    for (String name : names(objects, FAN)) {
      Path folder = objects.resolve(name);
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        Path made = Files.createDirectories(to.resolve(name));
        for (String object : names(folder, LOOSE)) {
          link(folder.resolve(object), made.resolve(object), ++count);
        }
      }
    }
    Path packs = objects.resolve("pack");
    if (Files.isDirectory(packs, LinkOption.NOFOLLOW_LINKS)) {
      for (String pack : names(packs, PACK)) {
        link(packs.resolve(pack), to.resolve("pack").resolve(pack), ++count);
      }
    }
  }

  private static void link(Path from, Path to, int count) throws IOException {
    if (count > MAX_FILES) {
      throw new IOException("it has more than " + MAX_FILES + " object files");
    }
    Files.createLink(to, from);
    if (!Files.isRegularFile(to, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(to);
      throw new IOException(from + " is not a regular file");
    }
  }

  private static List<String> names(Path folder, Pattern form) throws IOException {
    List<String> names = new java.util.ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
      for (Path path : found) {
        String name = String.valueOf(path.getFileName());
        if (form.matcher(name).matches()) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private void transfer(ObjectView view, String tip, String base) throws IOException {
    Path wanted = view.file("wanted");
    Files.writeString(wanted, tip + "\n" + (base.isEmpty() ? "" : "^" + base + "\n"));
    Path packing = view.file("packing");
    Path checking = view.file("checking");
    List<Process> processes =
        ProcessBuilder.startPipeline(
            List.of(
                view.git()
                    .process("pack-objects", "--revs", "--stdout", "-q", "--no-reuse-delta")
                    .redirectInput(wanted.toFile())
                    .redirectError(packing.toFile()),
                Git.of(repository)
                    .process(
                        "index-pack",
                        "--stdin",
                        "--strict",
                        "--max-input-size=" + Git.MAX_PACK_BYTES)
                    .redirectOutput(view.file("packed").toFile())
                    .redirectError(checking.toFile())));
    int checked = Git.awaitEnd(processes.getLast());
    int packed = Git.awaitEnd(processes.getFirst());
    if (packed != 0 || checked != 0) {
      String why =
          (Git.text(packing) + Git.text(checking))
              .lines()
              .filter(line -> !line.isBlank())
              .findFirst()
              .orElse("status " + packed + ", " + checked);
      throw new IOException(WireNames.shown(why));
    }
  }

  private Problem refused(String why) {
    return Problem.of(
        Code.UNAVAILABLE,
        "repo",
        "commits whose objects are whole",
        "%s was tampered with or is damaged: the commits of the agent are not taken over (%s). To put it aside: midcourse repair RUN"
            .formatted(objects, why));
  }
}
