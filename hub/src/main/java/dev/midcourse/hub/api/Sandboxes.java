package dev.midcourse.hub.api;

import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxLauncher;
import dev.midcourse.hub.api.json.Views;
import dev.midcourse.hub.boot.SandboxNotes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the sandboxes that work on this machine. A trial takes time, so its result is cached. */
final class Sandboxes {
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final SandboxLauncher confiner = SandboxLauncher.ofThisSystem();
  private final InstantSource clock;
  private final Map<Sandbox, CachedCheck> looks = new ConcurrentHashMap<>();

  private record CachedCheck(Views.OneSandbox found, Instant at) {}

  Sandboxes(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the description of the sandbox; empty if there is none. */
  Optional<Views.OneSandbox> look(Sandbox sandbox) {
    return switch (sandbox) {
      case Sandbox.None() -> Optional.empty();
      case Sandbox.Bubblewrap _ -> Optional.of(look(sandbox, "bwrap", Optional.empty()));
      case Sandbox.Container container ->
          Optional.of(look(sandbox, "container", Optional.of(container.image().value())));
    };
  }

  private Views.OneSandbox look(Sandbox sandbox, String kind, Optional<String> image) {
    Instant now = clock.instant();
    CachedCheck known = looks.get(sandbox);
    if (known != null && now.isBefore(known.at().plus(REMEMBERED))) {
      return known.found();
    }
    Views.OneSandbox found = tried(sandbox, kind, image);
    looks.put(sandbox, new CachedCheck(found, now));
    return found;
  }

  private Views.OneSandbox tried(Sandbox sandbox, String kind, Optional<String> image) {
    boolean network = SandboxNotes.network(sandbox).isPresent();
    try {
      return new Views.OneSandbox(kind, image, network, true, confiner.means(sandbox));
    } catch (IOException reason) {
      return new Views.OneSandbox(kind, image, network, false, String.valueOf(reason.getMessage()));
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return new Views.OneSandbox(kind, image, network, false, "interrupted while it was tried");
    }
  }
}
