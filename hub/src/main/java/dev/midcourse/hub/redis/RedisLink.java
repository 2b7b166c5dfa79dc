package dev.midcourse.hub.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.hub.settings.RedisSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The connections to Redis. They are restored by themselves, after growing delays of up to five
 * seconds. While one is down its commands fail at once, and none waits longer than five seconds.
 */
final class RedisLink implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MAX_RECONNECT_DELAY = Duration.ofSeconds(5);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

  /** Finds a connection that the network has dropped in silence within a minute. */
  private static final SocketOptions.KeepAliveOptions KEEP_ALIVE =
      SocketOptions.KeepAliveOptions.builder()
          .enable()
          .idle(Duration.ofSeconds(30))
          .interval(Duration.ofSeconds(10))
          .count(3)
          .build();

  private static final int THREADS = 2;
  private static final int SCAN_STEP = 1000;
  private static final String NOTIFY = "notify-keyspace-events";
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  /** The library reports each failed try to connect; the hub reports the first of a row. */
  private static final Logger LIBRARY_LOG = Logger.getLogger("io.lettuce");

  private final ClientResources resources;
  private final RedisClient client;
  private final int database;
  private @Nullable StatefulRedisConnection<String, byte[]> connection;
  private @Nullable StatefulRedisConnection<String, byte[]> blocking;
  private @Nullable StatefulRedisPubSubConnection<String, String> subscription;

  /** Receives changes of lists. The calls come from a thread of the library and must not block. */
  interface Listener {
    /** The list may have new entries. */
    void changed(String key);

    /** Changes are told from now on; some may have been missed before. */
    void subscribed();
  }

  RedisLink(RedisSettings settings) {
    LIBRARY_LOG.setLevel(Level.OFF);
    RedisURI uri = RedisURI.create(settings.url());
    uri.setTimeout(TIMEOUT);
    uri.setClientName("midcourse");
    this.database = uri.getDatabase();
    this.resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .reconnectDelay(
                Delay.exponential(
                    Duration.ofMillis(10), MAX_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
            .build();
    this.client = RedisClient.create(resources, uri);
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(
                SocketOptions.builder().connectTimeout(TIMEOUT).keepAlive(KEEP_ALIVE).build())
            .timeoutOptions(TimeoutOptions.enabled())
            .build());
  }

  /** Connects for commands, unless that is done. */
  synchronized StatefulRedisConnection<String, byte[]> connection() {
    StatefulRedisConnection<String, byte[]> open = connection;
    if (open == null) {
      open = client.connect(CODEC);
      connection = open;
    }
    return open;
  }

  /**
   * Asks the server for notifications about lists; returns whether it gives them. The setting of
   * the server is extended and never reduced.
   */
  boolean enableNotifications() {
    try {
      String flags =
          Optional.ofNullable(connection().sync().configGet(NOTIFY).get(NOTIFY)).orElse("");
      boolean lists = flags.contains("K") && (flags.contains("l") || flags.contains("A"));
      if (!lists) {
        connection().sync().configSet(NOTIFY, flags + "Kl");
      }
      return true;
    } catch (RedisCommandExecutionException notAllowed) {
      return false;
    }
  }

  /** Subscribes to the changes of all lists, also after each loss of the connection. */
  synchronized void subscribe(Listener listener) {
    if (subscription != null) {
      return;
    }
    StatefulRedisPubSubConnection<String, String> opened = client.connectPubSub();
    String channels = "__keyspace@" + database + "__:";
    opened.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String pattern, String channel, String event) {
            // All commands that add to a list end so: rpush, lpush, rpushx, lpushx.
            if (event.endsWith("push")) {
              listener.changed(channel.substring(channels.length()));
            }
          }

          @Override
          public void psubscribed(String pattern, long count) {
            listener.subscribed();
          }
        });
    subscription = opened;
    try {
      opened.sync().psubscribe(channels + SessionName.ALL_KEYS);
    } catch (RedisCommandExecutionException notAllowed) {
      listener.subscribed();
    }
  }

  /** Waits for a name in the list of sessions with new entries, on a connection of its own. */
  Optional<String> awaitWake(Duration atMost) {
    StatefulRedisConnection<String, byte[]> open = blocking;
    if (open == null) {
      open = client.connect(CODEC);
      open.setTimeout(atMost.plus(TIMEOUT));
      blocking = open;
    }
    @Nullable KeyValue<String, byte[]> woken =
        open.sync().blpop(atMost.toSeconds(), SessionName.WAKE_KEY);
    return woken == null ? Optional.empty() : Optional.of(new String(woken.getValue(), UTF_8));
  }

  /** Calls the consumer with the key of each list of entries. */
  void scan(Consumer<String> keys) {
    ScanArgs lists = ScanArgs.Builder.matches(SessionName.ALL_KEYS).limit(SCAN_STEP);
    ScanCursor cursor = ScanCursor.INITIAL;
    do {
      KeyScanCursor<String> page = connection().sync().scan(cursor, lists);
      page.getKeys().forEach(keys);
      cursor = page;
    } while (!cursor.isFinished());
  }

  /** Runs a script that returns a list. */
  List<byte[]> list(RedisScript script, List<String> keys, List<String> arguments) {
    return run(script, ScriptOutputType.MULTI, keys, arguments);
  }

  /** Runs a script and waits until it has run. */
  void run(ScriptCall call) {
    Long _ = run(call.script(), ScriptOutputType.INTEGER, call.keys(), call.arguments());
  }

  /** The type of the result is that of the output type, as the library has it. */
  @SuppressWarnings("TypeParameterUnusedInFormals")
  private <T> T run(
      RedisScript script, ScriptOutputType type, List<String> keys, List<String> arguments) {
    try {
      return connection().sync().evalsha(script.digest(), type, keys(keys), bytes(arguments));
    } catch (RedisNoScriptException unknown) {
      return connection().sync().eval(script.text(), type, keys(keys), bytes(arguments));
    }
  }

  /** A call of a script that returns nothing of interest. */
  record ScriptCall(RedisScript script, List<String> keys, List<String> arguments) {}

  /** Runs scripts in this order, without waiting for each one. */
  void runAll(List<ScriptCall> calls) {
    List<RedisFuture<Long>> results = new ArrayList<>();
    for (ScriptCall call : calls) {
      results.add(
          connection()
              .async()
              .eval(
                  call.script().text(),
                  ScriptOutputType.INTEGER,
                  keys(call.keys()),
                  bytes(call.arguments())));
    }
    for (RedisFuture<Long> result : results) {
      Long _ = LettuceFutures.awaitOrCancel(result, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  void expire(String key, Duration after) {
    connection().sync().expire(key, after);
  }

  private static String[] keys(List<String> keys) {
    return keys.toArray(String[]::new);
  }

  private static byte[][] bytes(List<String> arguments) {
    return arguments.stream().map(text -> text.getBytes(UTF_8)).toArray(byte[][]::new);
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, SHUTDOWN_TIMEOUT);
    var _ = resources.shutdown(0, SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
