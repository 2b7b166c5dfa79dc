package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.Processor;
import dev.midcourse.agents.sandbox.seccomp.SystemCallProfile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** The filter of system calls that Midcourse gives to a container. */
sealed interface ContainerFilter {
  /**
   * A profile that is made of the default profile of the runtime.
   *
   * @param defaults the file with the default profile
   */
  record Generated(Path defaults) implements ContainerFilter {}

  /** None: only the default filter of the runtime applies. */
  record Missing(String reason) implements ContainerFilter {}

  /** Returns the filter for a runtime with this default profile. */
  static ContainerFilter of(Path defaults) {
    try {
      profile(defaults, Sandbox.UnixSockets.DENIED);
      return new Generated(defaults);
    } catch (IOException unusable) {
      return new Missing(
          "the default filter %s cannot be used: %s".formatted(defaults, unusable.getMessage()));
    }
  }

  /**
   * Writes the profile, if there is one, and returns the arguments that make the runtime use it.
   */
  default List<String> writeTo(Path file, Sandbox.UnixSockets unixSockets) throws IOException {
    return switch (this) {
      case Generated(Path defaults) -> {
        write(file, profile(defaults, unixSockets));
        yield List.of("--security-opt=seccomp=" + file);
      }
      case Missing _ -> List.of();
    };
  }

  /** Writes the file so that only this user can read it. */
  private static void write(Path file, String profile) throws IOException {
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            file,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(profile);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  private static String profile(Path defaults, Sandbox.UnixSockets unixSockets) throws IOException {
    return SystemCallProfile.of(
        Files.readString(defaults),
        Processor.ofThisMachine(),
        unixSockets == Sandbox.UnixSockets.ALLOWED);
  }
}
