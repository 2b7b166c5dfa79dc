package dev.midcourse.hub.channel;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.catalogue.Channels;
import dev.midcourse.channels.http.HttpReceiver;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.hub.settings.ManagedChannels;
import dev.midcourse.hub.settings.channel.ConfiguredChannel;
import dev.midcourse.ledger.Ledger;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The channels of platforms that are configured. A channel that cannot be opened, for example
 * because its secret cannot be read, is listed as stopped and keeps the hub from nothing.
 */
public final class PlatformChannels {
  private static final Logger LOG = System.getLogger(PlatformChannels.class.getName());
  private static final String REMEDY =
      "Correct the settings of the channel, then restart the hub: midcourse shutdown";

  private final Ledger ledger;
  private final InstantSource clock;
  private final Path data;
  private final ManagedChannels file;

  /** By name; guarded by this object. */
  private final Map<ChannelName, Configured> configured = new LinkedHashMap<>();

  /** The names of the channels that are being checked and added. */
  private final Set<ChannelName> additions = ConcurrentHashMap.newKeySet();

  /** Guards the file and the running channels while both change. */
  private final ReentrantLock changes = new ReentrantLock();

  /** Set once, before the hub answers requests. */
  private volatile Optional<Channels> running = Optional.empty();

  /**
   * A configured channel and what became of it.
   *
   * @param problem why it could not be opened
   */
  private record Configured(
      ConfiguredChannel settings, Optional<Channel> channel, Optional<String> problem) {
    ChannelStatus status() {
      return channel
          .map(Channel::status)
          .orElseGet(() -> new ChannelStatus.Stopped(problem.orElse(""), REMEDY));
    }
  }

  /** A configured channel, its state, and its channel if it could be opened. */
  public record View(ConfiguredChannel settings, ChannelStatus status, Optional<Channel> channel) {}

  public PlatformChannels(
      List<ConfiguredChannel> settings, Ledger ledger, InstantSource clock, Path data) {
    this.ledger = ledger;
    this.clock = clock;
    this.data = data;
    this.file = new ManagedChannels(data);
    settings.forEach(this::open);
    for (ConfiguredChannel managed : managed()) {
      if (configured.containsKey(managed.name())) {
        LOG.log(
            Level.WARNING,
            "The channel {0} is in {1} and in midcourse.toml; the one in midcourse.toml is used.",
            managed.name(),
            ManagedChannels.FILE);
      } else {
        open(managed);
      }
    }
  }

  private List<ConfiguredChannel> managed() {
    try {
      return file.read();
    } catch (RefusedException e) {
      LOG.log(
          Level.ERROR,
          "No channel of {0} is used: {1}",
          ManagedChannels.FILE,
          e.problem().message());
      return List.of();
    }
  }

  private synchronized Configured open(ConfiguredChannel settings) {
    Configured result;
    try {
      Channel channel = settings.open(context(settings.name()));
      result = new Configured(settings, Optional.of(channel), Optional.empty());
    } catch (RefusedException e) {
      result = notOpened(settings, e.problem().message());
    } catch (RuntimeException e) {
      result = notOpened(settings, e.toString());
    }
    configured.put(settings.name(), result);
    return result;
  }

  private static Configured notOpened(ConfiguredChannel settings, String problem) {
    LOG.log(
        Level.ERROR,
        "The channel {0} cannot be opened ({1}); it stays stopped until the hub is restarted.",
        settings.name(),
        problem);
    return new Configured(settings, Optional.empty(), Optional.of(problem));
  }

  private ChannelContext context(ChannelName name) {
    return new ChannelContext(
        clock,
        LedgerChannelState.of(ledger, name),
        lock -> ledger.tryLock("poller:" + lock),
        data.resolve("channels").resolve(name.value()));
  }

  /** The channels that could be opened. */
  public synchronized List<Channel> opened() {
    List<Channel> channels = new ArrayList<>();
    configured.values().forEach(one -> one.channel().ifPresent(channels::add));
    return channels;
  }

  /** Where channels that are added later are started. */
  public void attach(Channels channels) {
    running = Optional.of(channels);
  }

  synchronized List<View> all() {
    return configured.values().stream().map(PlatformChannels::view).toList();
  }

  synchronized Optional<View> named(ChannelName name) {
    return Optional.ofNullable(configured.get(name)).map(PlatformChannels::view);
  }

  private static View view(Configured one) {
    return new View(one.settings(), one.status(), one.channel());
  }

  /** The channel of this name that takes requests of its platform. */
  synchronized Optional<HttpReceiver> receiver(ChannelName name) {
    return Optional.ofNullable(configured.get(name))
        .flatMap(Configured::channel)
        .filter(HttpReceiver.class::isInstance)
        .map(HttpReceiver.class::cast);
  }

  List<ChannelCheck> check(ConfiguredChannel settings) {
    return settings.check(context(settings.name()));
  }

  ManagedChannels file() {
    return file;
  }

  /**
   * Adds a channel of this name, or refuses if another call does so now: the check of a channel can
   * take long, and both would write the same files.
   */
  <T> T reserving(ChannelName name, Supplier<T> addition) {
    if (!additions.add(name)) {
      throw Problem.of(
              Code.DUPLICATE,
              "name",
              "a name that no channel has",
              "a channel "
                  + name
                  + " is being added already; wait for it, or choose a name: --name")
          .refused();
    }
    try {
      return addition.get();
    } finally {
      additions.remove(name);
    }
  }

  /** Writes the channel into the settings and uses it at once. */
  void add(ConfiguredChannel settings) {
    changes.lock();
    try {
      Channel channel = settings.open(context(settings.name()));
      try {
        file.put(settings);
      } catch (RuntimeException e) {
        channel.close();
        throw e;
      }
      synchronized (this) {
        configured.put(
            settings.name(), new Configured(settings, Optional.of(channel), Optional.empty()));
      }
      running.ifPresent(channels -> channels.put(channel));
    } finally {
      changes.unlock();
    }
  }

  /** Ends the channel and removes it from the settings, with its secrets and its position. */
  void remove(ChannelName name) {
    changes.lock();
    try {
      running.ifPresent(channels -> channels.remove(name));
      file.remove(name);
      LedgerChannelState.forget(ledger, name);
      synchronized (this) {
        configured.remove(name);
      }
    } finally {
      changes.unlock();
    }
  }
}
