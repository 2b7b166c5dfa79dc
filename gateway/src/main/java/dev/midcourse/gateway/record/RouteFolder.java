package dev.midcourse.gateway.record;

import dev.midcourse.gateway.pump.Upstream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/**
 * The routes of all attempts of this host, one file each. A hub adds and removes them; the gateway
 * looks at them for each request, so a route that is removed is fenced at once, and a gateway that
 * is started again knows all.
 */
public final class RouteFolder {
  private final Path folder;

  private RouteFolder(Path folder) {
    this.folder = folder;
  }

  /** Opens the folder, and creates it where it is missing. Only this user can read it. */
  public static RouteFolder open(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return new RouteFolder(folder);
  }

  /** Adds or replaces the route of an attempt. */
  public void put(AttemptKey key, RouteSpec route) throws IOException {
    Upstream.parse(route.upstream());
    Path file = file(key);
    Path fresh =
        Files.createTempFile(
            folder,
            "new",
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, route.json());
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Fences an attempt. Requests in flight go on, further ones are refused. */
  public void remove(AttemptKey key) throws IOException {
    Files.deleteIfExists(file(key));
  }

  /** Returns whether no attempt has a route. */
  public boolean isEmpty() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.noneMatch(file -> file.toString().endsWith(".json"));
    }
  }

  Path file(AttemptKey key) {
    return folder.resolve(key.fileName());
  }

  RouteSpec read(Path file) throws IOException {
    return RouteSpec.parse(Files.readString(file, StandardCharsets.UTF_8));
  }
}
