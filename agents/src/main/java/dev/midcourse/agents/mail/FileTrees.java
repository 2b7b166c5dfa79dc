package dev.midcourse.agents.mail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletes and copies folders. Links are deleted or left out, never followed. */
public final class FileTrees {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_FILES = 2_000;
  private static final long MAX_FILE_BYTES = 4L * 1024 * 1024;

  private FileTrees() {}

  /** Deletes a folder with all its contents. Does nothing if there is none. */
  public static void delete(Path folder) {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
                throws IOException {
              Files.delete(dir);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + folder + " failed", e);
    }
  }

  /**
   * Copies the regular files of a small folder, such as hooks. Does nothing if there is no such
   * folder; leaves out large files and all files after the first two thousand.
   */
  public static void copy(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (var found = Files.walk(from, MAX_DEPTH)) {
      for (Path file : (Iterable<Path>) found.limit(MAX_FILES)::iterator) {
        Path place = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectories(place);
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && Files.size(file) <= MAX_FILE_BYTES) {
          Files.copy(file, place, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }
}
