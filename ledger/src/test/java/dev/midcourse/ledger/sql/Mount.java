package dev.midcourse.ledger.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small disk of its own, in memory; a test that cannot have one is skipped. */
record Mount(Path folder) implements AutoCloseable {

  static Mount ofSize(Path folder, String size) throws Exception {
    Files.createDirectories(folder);
    assumeTrue(
        done("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()),
        "a disk cannot be mounted here (needs root)");
    return new Mount(folder);
  }

  void readOnly() throws Exception {
    assumeTrue(
        done("mount", "-o", "remount,ro", folder.toString()), "a disk cannot be made read-only");
  }

  @Override
  public void close() throws Exception {
    done("umount", "-l", folder.toString());
  }

  private static boolean done(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    boolean done = process.waitFor() == 0;
    if (!done) {
      System.out.println(String.join(" ", command) + ": " + said.strip());
    }
    return done;
  }
}
