package dev.midcourse.hub.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Divides the file descriptors of this process. Clients get a part that they cannot exceed, so that
 * however many connect, descriptors are left for the ledger and for agents, and one endpoint takes
 * none from another.
 *
 * @param local the maximum of connections at the Unix socket
 * @param remote the maximum of connections over TCP
 */
public record DescriptorBudget(int local, int remote) {
  /** The minimum for a start of the hub. */
  static final int MIN_DESCRIPTORS = 256;

  /** For the JVM and its class path, the ledger, the log and the listeners. */
  private static final int OWN = 128;

  private static final int MAX_LOCAL = 4_096;
  private static final int MAX_REMOTE = 8_192;
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern OPEN_FILES =
      Pattern.compile("^Max open files\\s+(\\d+|unlimited)", Pattern.MULTILINE);

  /**
   * Divides the descriptors that the hub does not need itself: half for agents and git, a quarter
   * for each endpoint.
   */
  static DescriptorBudget of(long descriptors) {
    if (descriptors < MIN_DESCRIPTORS) {
      throw Problem.of(
              Code.UNAVAILABLE,
              "open files",
              "at least " + MIN_DESCRIPTORS,
              "the limit of open files is "
                  + descriptors
                  + ", and the hub needs "
                  + MIN_DESCRIPTORS
                  + "; raise it with: ulimit -n 4096")
          .refused();
    }
    long quarter = (descriptors - OWN) / 4;
    return new DescriptorBudget(
        Math.toIntExact(Math.min(quarter, MAX_LOCAL)),
        Math.toIntExact(Math.min(quarter, MAX_REMOTE)));
  }

  /** Returns the budget for the limit of this process. */
  public static DescriptorBudget ofThisProcess() {
    return of(limit());
  }

  private static long limit() {
    try {
      Matcher found = OPEN_FILES.matcher(new String(Files.readAllBytes(LIMITS), US_ASCII));
      if (found.find()) {
        return found.group(1).equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(found.group(1));
      }
    } catch (IOException notLinux) {
      // Other systems have no such file; the call below is slower.
    }
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
