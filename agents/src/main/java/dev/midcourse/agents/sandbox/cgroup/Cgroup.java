package dev.midcourse.agents.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The cgroup of one program: one folder, or one in each hierarchy of version 1. Its record in the
 * attempt folder is written before the cgroup is created, so that every hub can remove it.
 */
public record Cgroup(List<Path> folders) {
  private static final String FILE = "cgroup";

  /** The kernel removes exited processes from a cgroup a moment after they are gone. */
  private static final Duration REMOVAL_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration RETRY_DELAY = Duration.ofMillis(10);

  private static final String JOIN =
      """
      while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit 126; shift; done
      shift; exec "$@"
      """;

  public Cgroup {
    folders = List.copyOf(folders);
  }

  /** Returns the record in this folder, if the program of the folder has or had a cgroup. */
  public static Optional<Cgroup> recordedIn(Path attempt) throws IOException {
    Path file = attempt.resolve(FILE);
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(new Cgroup(Files.readAllLines(file).stream().map(Path::of).toList()))
        : Optional.empty();
  }

  void recordIn(Path attempt) throws IOException {
    Files.write(attempt.resolve(FILE), folders.stream().map(Path::toString).toList());
  }

  /** Returns the words before a command that move it into the cgroup before it starts. */
  List<String> joiningWords() {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", JOIN, "midcourse-cgroup"));
    folders.forEach(folder -> words.add(folder.toString()));
    words.add("--");
    return words;
  }

  /** Removes the cgroup. All its processes must have been ended before. */
  public void remove() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + REMOVAL_TIMEOUT.toNanos();
    for (Path folder : folders) {
      while (!removed(folder)) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException(
              "the cgroup "
                  + folder
                  + " still has processes: "
                  + String.join(" ", Files.readAllLines(folder.resolve("cgroup.procs"))));
        }
        Thread.sleep(RETRY_DELAY);
      }
    }
  }

  private static boolean removed(Path folder) throws IOException {
    try {
      Files.delete(folder);
      return true;
    } catch (NoSuchFileException gone) {
      return true;
    } catch (DirectoryNotEmptyException busy) {
      return false;
    } catch (FileSystemException busy) {
      if (String.valueOf(busy.getReason()).contains("busy")) {
        return false;
      }
      throw busy;
    }
  }
}
