package dev.midcourse.hub.api.operation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.RunId;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.http.route.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The folders of runs. Ids have passed their check, so they may be names; links are never followed
 * where an agent could have put one.
 */
public record Workspaces(EngineSettings settings) {
  private static final int CHUNK_BYTES = 64 * 1024;

  /** Returns the working directory of a run: the requested one, or a new one of its own. */
  public String of(RunId run, Optional<String> asked) {
    if (asked.isEmpty()) {
      return settings.ownWorkspace(run).toString();
    }
    try {
      Path path = Path.of(asked.get());
      if (path.isAbsolute() && Files.isDirectory(path)) {
        return path.normalize().toString();
      }
    } catch (InvalidPathException e) {
      throw new RefusedException(notAFolder(asked.get()), e);
    }
    throw notAFolder(asked.get()).refused();
  }

  private static Problem notAFolder(String path) {
    return Problem.invalid(
        "dir",
        "the absolute path of a directory on the hub's machine",
        WireNames.shown(path) + " is not a directory");
  }

  /**
   * Returns the output that the agent of an attempt has written to this file, or its last bytes.
   */
  public ApiResponse output(RunId run, int attempt, String name, long max) {
    Path file = settings.attemptFolder(run, attempt).resolve(name);
    try {
      BasicFileAttributes is =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (is.isRegularFile()) {
        long size = is.size();
        long count = Math.min(size, max);
        return new ApiResponse.Flow(
            "text/plain; charset=utf-8",
            OptionalLong.of(count),
            Map.of("Midcourse-Size", Long.toString(size)),
            out -> copy(file, size - count, count, out));
      }
    } catch (IOException notThere) {
      // A missing file is answered below.
    }
    throw Problem.of(
            Code.NOT_FOUND,
            "attempt",
            "an attempt that was made",
            "run " + run + " has no output of attempt " + attempt)
        .refused();
  }

  /** Exactly this many bytes, even if the agent goes on writing. */
  private static void copy(Path file, long from, long count, OutputStream out) throws IOException {
    byte[] piece = new byte[CHUNK_BYTES];
    long left = count;
    try (InputStream in =
        Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      in.skipNBytes(from);
      while (left > 0) {
        int read = in.read(piece, 0, (int) Math.min(left, CHUNK_BYTES));
        if (read < 0) {
          throw new IOException(file + " became shorter");
        }
        out.write(piece, 0, read);
        left -= read;
      }
    }
  }
}
