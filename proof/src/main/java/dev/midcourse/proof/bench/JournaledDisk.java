package dev.midcourse.proof.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An ext4 as it is made by default, with a journal, in a file of its own: what most disks are and
 * the machine's own may not be.
 */
final class JournaledDisk implements AutoCloseable {
  private static final long SIZE = 1L << 30;
  private static final long MAX_SECONDS = 60;

  private final Path folder;

  private JournaledDisk(Path folder) {
    this.folder = folder;
  }

  /** Nothing where it cannot be mounted: that takes root and a loop device. */
  static Optional<JournaledDisk> make() throws IOException, InterruptedException {
    Path folder = Folders.make();
    Path image = folder.resolve("image");
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    try (FileChannel file =
        FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), SIZE - 1);
    }
    if (done("mkfs.ext4", "-q", "-F", image.toString())
        && done("mount", "-o", "loop", image.toString(), mounted.toString())) {
      return Optional.of(new JournaledDisk(folder));
    }
    Folders.delete(folder);
    return Optional.empty();
  }

  Path path() {
    return folder.resolve("mounted");
  }

  private static boolean done(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (!done("umount", path().toString())) {
      throw new IOException("cannot be unmounted: " + path());
    }
    Folders.delete(folder);
  }
}
