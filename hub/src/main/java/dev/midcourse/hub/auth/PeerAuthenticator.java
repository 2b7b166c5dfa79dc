package dev.midcourse.hub.auth;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.Groups;
import dev.midcourse.core.authority.Role;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.hub.auth.ProcessAncestry.Ancestors;
import dev.midcourse.hub.auth.ProcessAncestry.Marker;
import dev.midcourse.hub.http.server.Authenticator;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Authenticates callers of the Unix socket, whose file mode admits only its owner. A process is the
 * person's unless it or one of its ancestors carries the marker of a run. A process of an agent is
 * the worker of that run. The process is the one that connected: it is identified when the
 * connection is accepted, and a connection whose process has ended by then is unauthenticated. A
 * process whose ancestors cannot be followed to the first one is unauthenticated. If the system
 * does not tell the process of a connection, the token is required.
 */
public final class PeerAuthenticator implements Authenticator {
  private static final int ROOT = 0;
  private static final GroupName ELSEWHERE = GroupName.of("elsewhere");
  private static final RunId UNNAMED = RunId.of("unnamed");

  private final Supplier<Optional<PeerCredentials>> credentials;
  private final int owner;
  private final Ledger ledger;
  private final Groups groups;
  private final TokenAuthenticator otherwise;
  private final ProcessAncestry ancestry = ProcessAncestry.OF_THIS_SYSTEM;

  /** The markers of the hub's own ancestors. All callers have them too, so they identify none. */
  private final Set<Marker> ours;

  /**
   * @param owner the number of the user who owns the hub
   */
  public PeerAuthenticator(
      Supplier<Optional<PeerCredentials>> credentials,
      int owner,
      Ledger ledger,
      HubToken token,
      Groups groups) {
    this.groups = groups;
    this.credentials = credentials;
    this.owner = owner;
    this.ledger = ledger;
    this.otherwise = new TokenAuthenticator(token);
    this.ours =
        switch (ancestry.of(ProcessHandle.current().pid())) {
          case Ancestors.Complete(List<Marker> markers) -> Set.copyOf(markers);
          case Ancestors.Broken _ -> Set.of();
        };
  }

  @Override
  public ConnectionAuthenticator accepted(SocketChannel channel) {
    Optional<PeerCredentials> kernel = credentials.get();
    if (kernel.isEmpty()) {
      return otherwise.accepted(channel);
    }
    Ancestors ancestors = ancestorsOf(kernel.get(), channel);
    return new OncePerConnection(() -> callerOf(ancestors));
  }

  /** The ancestors of the process that connected, as they are when the connection is accepted. */
  private Ancestors ancestorsOf(PeerCredentials kernel, SocketChannel channel) {
    Optional<PeerProcess> connected = kernel.of(channel);
    if (connected.isEmpty()) {
      return new Ancestors.Broken("the kernel does not say who this is, or its process has ended");
    }
    try (PeerProcess peer = connected.get()) {
      if (peer.user() != owner && peer.user() != ROOT) {
        return new Ancestors.Broken("user " + peer.user() + " does not own this hub");
      }
      Ancestors ancestors = ancestry.of(peer.pid());
      return peer.isSame()
          ? ancestors
          : new Ancestors.Broken("process " + peer.pid() + ", which connected, has ended");
    }
  }

  private Caller callerOf(Ancestors ancestors) {
    return switch (ancestors) {
      case Ancestors.Complete(List<Marker> markers) -> byMarkers(markers);
      case Ancestors.Broken(String why) -> new Caller.Unauthenticated(why);
    };
  }

  /** Finds the caller at the first request and remembers it. For one thread at a time. */
  private static final class OncePerConnection implements ConnectionAuthenticator {
    private final Supplier<Caller> finds;
    private Optional<Caller> found = Optional.empty();

    OncePerConnection(Supplier<Caller> finds) {
      this.finds = finds;
    }

    @Override
    public Caller authenticate(Optional<String> authorization) {
      if (found.isEmpty()) {
        found = Optional.of(finds.get());
      }
      return found.get();
    }
  }

  private Caller byMarkers(List<Marker> markers) {
    for (Marker marker : markers) {
      Optional<Run> run = runOf(marker);
      if (run.isPresent()) {
        return agentOf(run.get());
      }
    }
    boolean another = markers.stream().anyMatch(marker -> !ours.contains(marker));
    return another ? new Caller.Worker(ELSEWHERE, UNNAMED) : new Caller.Main("socket");
  }

  /**
   * Returns the agent of a run as a caller: with the role of the group that has the name of its
   * worker, or else as a worker.
   */
  private Caller agentOf(Run run) {
    GroupName name = GroupName.of(run.spec().worker().value());
    return groups
        .named(name)
        .filter(group -> group.role() != Role.WORKER && group.role() != Role.MAIN)
        .<Caller>map(group -> new Caller.Member(group, "agent", Optional.of(run.id())))
        .orElseGet(() -> new Caller.Worker(name, run.id()));
  }

  /** Returns the run of this hub whose attempt has this mark. */
  private Optional<Run> runOf(Marker marker) {
    return named(marker)
        .flatMap(id ->
            ledger.read(reading -> reading.run(id).filter(_ -> isIn(reading, id, marker.mark()))));
  }

  private static Optional<RunId> named(Marker marker) {
    try {
      return Optional.of(RunId.of(marker.run()));
    } catch (RefusedException notAnId) {
      return Optional.empty();
    }
  }

  private static boolean isIn(LedgerReader reading, RunId run, String mark) {
    return reading.attempts(run).stream().anyMatch(attempt -> attempt.mark().equals(mark));
  }

  /** Returns the first run of this hub under which the hub itself was started. */
  public Optional<RunId> startedBy() {
    return ours.stream().flatMap(marker -> runOf(marker).stream()).map(Run::id).findFirst();
  }
}
