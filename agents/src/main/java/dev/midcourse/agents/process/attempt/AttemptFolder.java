package dev.midcourse.agents.process.attempt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;

/**
 * The folder of one program: {@code in} (FIFO), {@code out} and {@code err} (append-only), {@code
 * pid} and {@code exit} (written by the program's wrapper). Links in the folder are never followed.
 *
 * <p>{@code pid} and {@code exit} are one line each, written by one call. A line without its line
 * feed counts as not written, so a reader never gets a half line.
 */
public record AttemptFolder(Path path) {

  public static final String IN = "in";
  public static final String PID = "pid";
  public static final String EXIT = "exit";

  /**
   * This file exists while a frame is written in parts. If it exists after a crash, the input is
   * torn.
   */
  public static final String TORN = "torn";

  /** This file exists when the wrapper has seen the last process of its tree exit. */
  public static final String GONE = "gone";

  /** This file exists when no program may start from this folder any more. */
  public static final String FENCED = "fenced";

  private static final int MAX_LINE = 4096;

  public AttemptFolder {
    path = path.toAbsolutePath().normalize();
  }

  /**
   * Creates the folder with empty output files. Only this user can read it. The folder must not
   * exist yet.
   */
  public static AttemptFolder create(Path path) throws IOException {
    AttemptFolder folder = new AttemptFolder(path);
    Path parent = folder.path.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    var mode700 =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    var mode600 =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Files.createDirectory(folder.path, mode700);
    for (OutputFile file : OutputFile.values()) {
      Files.createFile(folder.output(file), mode600);
    }
    return folder;
  }

  public Path input() {
    return file(IN);
  }

  public Path output(OutputFile file) {
    return path.resolve(file.fileName());
  }

  public Path file(String name) {
    return path.resolve(name);
  }

  /** Returns the exit status, if the program has ended and its wrapper recorded the status. */
  public Optional<ProcessExit> exit() throws IOException {
    Optional<String> line = line(EXIT);
    try {
      return line.map(text -> new ProcessExit.Status(Integer.parseInt(text)));
    } catch (NumberFormatException notOurs) {
      return Optional.of(new ProcessExit.Vanished());
    }
  }

  /**
   * Returns the wrapper's record of itself. The record exists once the program's input is open and
   * the program is about to start.
   */
  public Optional<WrapperRecord> wrapper() throws IOException {
    Optional<String> line = line(PID);
    if (line.isEmpty()) {
      return Optional.empty();
    }
    Instant written = Files.getLastModifiedTime(file(PID), LinkOption.NOFOLLOW_LINKS).toInstant();
    return WrapperRecord.parse(line.get(), written);
  }

  /**
   * Guarantees that no program starts from this folder any more. The wrapper checks for the fence
   * just before it starts the program. A wrapper that has already checked carries its mark and can
   * be found.
   */
  public void fence() throws IOException {
    try {
      Files.createFile(file(FENCED));
    } catch (FileAlreadyExistsException already) {
      // The folder is already fenced.
    }
  }

  private Optional<String> line(String name) throws IOException {
    try (var in =
        Files.newInputStream(file(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      String text = new String(in.readNBytes(MAX_LINE), StandardCharsets.UTF_8);
      int end = text.indexOf('\n');
      return end < 0 ? Optional.empty() : Optional.of(text.substring(0, end));
    } catch (NoSuchFileException notYet) {
      return Optional.empty();
    }
  }
}
