package dev.midcourse.hub.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.Ids;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/**
 * The data folder, which only its owner can read. One hub at most has it at a time: the system
 * releases the lock when the process ends, for whatever reason.
 */
public final class DataFolder implements AutoCloseable {
  private static final Set<PosixFilePermission> MODE_700 =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> MODE_600 =
      PosixFilePermissions.fromString("rw-------");
  private static final String TOKEN = "token";
  private static final String PORT = "port";
  private static final int MAX_PORT = 65_535;
  private static final int TOKEN_BYTES = 32;
  private static final int MIN_TOKEN = 32;

  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private DataFolder(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /** Creates the folder if it does not exist, closes it to other users, and locks it. */
  public static DataFolder take(Path folder) {
    Path path = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(path, PosixFilePermissions.asFileAttribute(MODE_700));
      if (!Files.getPosixFilePermissions(path).equals(MODE_700)) {
        Files.setPosixFilePermissions(path, MODE_700);
      }
      FileChannel file =
          FileChannel.open(
              path.resolve("hub.lock"),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, NOFOLLOW_LINKS),
              PosixFilePermissions.asFileAttribute(MODE_600));
      Optional<FileLock> lock = lock(file);
      if (lock.isEmpty()) {
        file.close();
        throw taken(path);
      }
      return new DataFolder(path, file, lock.get());
    } catch (FileAlreadyExistsException e) {
      throw unusable(path, "it is a file", e);
    } catch (AccessDeniedException e) {
      throw unusable(path, "permission denied", e);
    } catch (IOException e) {
      throw unusable(path, String.valueOf(e.getMessage()), e);
    }
  }

  private static Optional<FileLock> lock(FileChannel file) throws IOException {
    try {
      return Optional.ofNullable(file.tryLock());
    } catch (OverlappingFileLockException inThisProcess) {
      return Optional.empty();
    }
  }

  private static RefusedException taken(Path path) {
    String who =
        HubFile.read(path).map(hub -> " (process " + hub.pid() + ", " + hub.url() + ")").orElse("");
    return Problem.of(
            Code.UNAVAILABLE,
            "data",
            "one hub for each data directory",
            "another hub" + who + " uses " + path + "; stop it first, or set MIDCOURSE_HOME")
        .refused();
  }

  private static RefusedException unusable(Path path, String why, IOException e) {
    return new RefusedException(
        Problem.of(
            Code.UNAVAILABLE,
            "data",
            "a writable directory",
            "cannot write to " + path + ": " + why + "; set MIDCOURSE_HOME to another directory"),
        e);
  }

  public Path path() {
    return path;
  }

  public Path file(String name) {
    return path.resolve(name);
  }

  /** Returns the number of the user who owns the folder. */
  public int owner() {
    try {
      return (int) Files.getAttribute(path, "unix:uid");
    } catch (IOException | UnsupportedOperationException e) {
      throw new IllegalStateException(path + " does not say whose it is", e);
    }
  }

  /** Reads the token of programs. Creates it if there is none. */
  public String token() {
    String token = kept(TOKEN, newToken());
    if (token.length() < MIN_TOKEN) {
      throw Problem.of(
              Code.UNAVAILABLE,
              "token",
              "at least " + MIN_TOKEN + " characters",
              "the token in " + file(TOKEN) + " is too short; remove the file to get a new one")
          .refused();
    }
    return token;
  }

  /** Creates a new token of programs, writes it and returns it. */
  public String rotateToken() {
    String token = newToken();
    try {
      replace(TOKEN, token + "\n");
      return token;
    } catch (IOException e) {
      throw unusable(path, TOKEN + ": " + e.getMessage(), e);
    }
  }

  private static String newToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Returns the name under which hubs of this folder own runs. It stays the same after a restart.
   */
  public HostName host() {
    return HostName.of(kept("host", machine() + "-" + new Ids(new SecureRandom()).token(6)));
  }

  /** Returns the port of the last hub of this folder, if it is known. */
  public Optional<Integer> lastPort() {
    try {
      int port = Integer.parseInt(Files.readString(file(PORT), UTF_8).strip());
      return port > 0 && port <= MAX_PORT ? Optional.of(port) : Optional.empty();
    } catch (IOException | NumberFormatException unknown) {
      return Optional.empty();
    }
  }

  /** Stores the port for the next hub of this folder. */
  public void rememberPort(int port) {
    try {
      replace(PORT, port + "\n");
    } catch (IOException e) {
      throw unusable(path, PORT + ": " + e.getMessage(), e);
    }
  }

  private static String machine() {
    try {
      String name = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9-]", "-");
      String plain = name.replaceAll("^-+|-+$", "");
      return plain.isEmpty() ? "host" : plain.substring(0, Math.min(40, plain.length()));
    } catch (IOException unknown) {
      return "host";
    }
  }

  /** Returns the line in the file. Writes the given text first if there is no file. */
  public String kept(String name, String otherwise) {
    Path file = file(name);
    try {
      if (Files.notExists(file, NOFOLLOW_LINKS) || Files.size(file) == 0) {
        replace(name, otherwise + "\n");
      }
      Files.setPosixFilePermissions(file, MODE_600);
      return Files.readString(file, UTF_8).strip();
    } catch (IOException e) {
      throw unusable(path, name + ": " + e.getMessage(), e);
    }
  }

  /** Writes a file so that a reader sees the old text or the new, never half of it. */
  public void replace(String name, String text) throws IOException {
    Path draft =
        Files.createTempFile(path, name, ".new", PosixFilePermissions.asFileAttribute(MODE_600));
    Files.writeString(draft, text, UTF_8);
    Files.move(
        draft, file(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  public void remove(String name) {
    try {
      Files.deleteIfExists(file(name));
    } catch (NoSuchFileException gone) {
      // The file does not exist.
    } catch (IOException e) {
      throw unusable(path, String.valueOf(e.getMessage()), e);
    }
  }

  /** Releases the lock, so that the next hub can start. */
  @Override
  public void close() {
    try (lockFile) {
      lock.release();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
