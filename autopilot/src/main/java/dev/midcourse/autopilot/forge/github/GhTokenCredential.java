package dev.midcourse.autopilot.forge.github;

import dev.midcourse.agents.process.CommandProbe;
import dev.midcourse.agents.process.CommandProbe.ProbeResult;
import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.loop.forge.ForgeError;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The token that GitHub's command line {@code gh} has. The command runs at the first request, and
 * again only when GitHub did not accept the token.
 */
public final class GhTokenCredential implements ForgeCredential {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int MAX_BYTES = 4096;
  private static final int NOT_FOUND = 127;

  private final String host;
  private final Map<String, String> environment;

  /** Guarded by this object. */
  private Optional<Secret> known = Optional.empty();

  /**
   * @param host the name of the web site: {@code github.com}
   * @param environment the variables in which {@code gh} finds its settings: PATH, HOME and others
   */
  public GhTokenCredential(String host, Map<String, String> environment) {
    this.host = host;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public synchronized Secret get() throws ForgeException, InterruptedException {
    if (known.isEmpty()) {
      known = Optional.of(new Secret("", ask()));
    }
    return known.get();
  }

  @Override
  public synchronized void reject(Secret secret) {
    known = known.filter(token -> !token.equals(secret));
  }

  private String ask() throws ForgeException, InterruptedException {
    ProbeResult result;
    try {
      result =
          new CommandProbe(
                  List.of("/bin/sh", "-c", "exec gh auth token --hostname \"$0\"", host),
                  environment,
                  TIMEOUT,
                  MAX_BYTES)
              .output();
    } catch (IOException e) {
      throw unauthorized("gh could not be started: " + e);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (result.code().orElse(0) == NOT_FOUND) {
      throw unauthorized("gh is not installed; install it, or give Midcourse a token");
    }
    String token = result.out().strip();
    if (result.code().orElse(1) != 0 || token.isEmpty()) {
      throw unauthorized("gh has no token for " + host + "; run: gh auth login --hostname " + host);
    }
    return token;
  }

  private static ForgeException unauthorized(String message) {
    return new ForgeException(new ForgeError.Unauthorized(message));
  }
}
