package dev.midcourse.gateway.process;

import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The folder of the gateway of a host. Only this user can read it.
 *
 * <p>{@code state.json} has the port and the mark of the process. It stays when the process ends,
 * so that the next one listens on the same port. {@code mark} has the mark of the last start.
 * {@code routes} has the routes of the attempts, {@code lock} is held by the process that runs.
 */
public record GatewayFolder(Path path) {

  /**
   * The state of a gateway.
   *
   * @param port the port on the loopback address
   * @param pid the process
   * @param mark the mark that the hub gave to the process
   */
  public record GatewayState(int port, long pid, String mark) {}

  /** Opens the folder, and creates it where it is missing. */
  public static GatewayFolder open(Path path) throws IOException {
    Files.createDirectories(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return new GatewayFolder(path.toAbsolutePath().normalize());
  }

  public Path routes() {
    return path.resolve("routes");
  }

  public Path lock() {
    return path.resolve("lock");
  }

  /** The Unix socket, for agents without a network. */
  public Path socket() {
    return path.resolve("gateway.sock");
  }

  /** The folder of a process: its output and its exit. */
  Path process(ProcessMarker mark) {
    return path.resolve("process-" + mark.token());
  }

  private Path stateFile() {
    return path.resolve("state.json");
  }

  /** Returns the state of the process that runs, or of the last one. */
  public Optional<GatewayState> state() throws IOException {
    try {
      JsonValue.Obj json = JsonReader.readObject(Files.readString(stateFile()));
      return Optional.of(
          new GatewayState(
              json.number("port").orElse(0L).intValue(),
              json.number("pid").orElse(0L),
              json.string("mark").orElse("")));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (JsonException invalid) {
      throw new IOException("the state of the gateway cannot be read: " + stateFile(), invalid);
    }
  }

  public void write(GatewayState state) throws IOException {
    replace(
        stateFile(),
        JsonValue.object()
            .with("port", state.port())
            .with("pid", state.pid())
            .with("mark", state.mark())
            .toString());
  }

  /** Returns the mark of the process that was started last, whether it has begun or not. */
  Optional<ProcessMarker> lastMark() throws IOException {
    try {
      return Optional.of(Files.readString(markFile()).strip())
          .filter(ProcessMarker::isWellFormed)
          .map(ProcessMarker::new);
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /** Stores the mark of a process before it is started, so that it is always found again. */
  void write(ProcessMarker mark) throws IOException {
    replace(markFile(), mark.token());
  }

  private Path markFile() {
    return path.resolve("mark");
  }

  private void replace(Path file, String text) throws IOException {
    Path fresh =
        Files.createTempFile(
            path,
            "new",
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text + "\n");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
