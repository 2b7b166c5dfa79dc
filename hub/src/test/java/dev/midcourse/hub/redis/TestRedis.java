package dev.midcourse.hub.redis;

import dev.midcourse.ledger.json.JsonCodec;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import redis.embedded.RedisServer;
import redis.embedded.RedisServerBuilder;

/** A real Redis server with its own folder, and a client. It keeps its data over a restart. */
final class TestRedis implements AutoCloseable {
  private final Path folder;
  private final int port;
  private final List<String> settings;
  private final RedisClient client;
  private RedisServer server;

  private TestRedis(Path folder, int port, List<String> settings) throws IOException {
    this.folder = folder;
    this.port = port;
    this.settings = settings;
    this.server = started();
    this.client = RedisClient.create("redis://127.0.0.1:" + port);
  }

  static TestRedis in(Path folder, String... settings) throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = any.getLocalPort();
      any.close();
      return new TestRedis(Files.createDirectories(folder), port, List.of(settings));
    }
  }

  private RedisServer started() throws IOException {
    RedisServerBuilder builder =
        RedisServer.builder()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("appendonly yes")
            .setting("appendfsync always")
            .setting("dir " + folder);
    settings.forEach(builder::setting);
    RedisServer made = builder.build();
    made.start();
    return made;
  }

  int port() {
    return port;
  }

  /** The section of the settings that names this server, or a proxy before it. */
  static String settings(int port) {
    return "[redis]\nurl = \"redis://127.0.0.1:" + port + "\"\n";
  }

  void stop() throws IOException {
    server.stop();
  }

  void startAgain() throws IOException {
    server = started();
  }

  RedisCommands<String, String> commands() {
    return client.connect().sync();
  }

  /** Pushes an entry as programs do. */
  void push(String session, String text) {
    pushRaw(session, JsonCodec.write(Map.of("text", text, "sender", "Tom", "timestamp", 1.5)));
  }

  void pushRaw(String session, String entry) {
    try (var connection = client.connect()) {
      connection.sync().rpush("steering:" + session, entry);
    }
  }

  List<String> keys() {
    try (var connection = client.connect()) {
      return connection.sync().keys("*").stream().sorted().toList();
    }
  }

  long ttl(String key) {
    try (var connection = client.connect()) {
      return connection.sync().ttl(key);
    }
  }

  List<String> list(String key) {
    try (var connection = client.connect()) {
      return connection.sync().lrange(key, 0, -1);
    }
  }

  /** The records of the stream of receipts. */
  List<Map<String, String>> receipts(String session) {
    try (var connection = client.connect()) {
      return connection.sync().xrange("receipts:" + session, Range.unbounded()).stream()
          .map(StreamMessage::getBody)
          .toList();
    }
  }

  @Override
  public void close() throws IOException {
    client.shutdown();
    server.stop();
  }
}
