package dev.midcourse.proof.bench.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A chat platform on this machine, which a hub reaches over HTTP as a webhook channel. It takes
 * every request at once, except those to a chat that is slow, and notes when the first reaction on
 * each message came.
 */
final class LoopbackPlatform implements AutoCloseable {
  private static final Duration SLOW_ANSWER = Duration.ofSeconds(2);
  private static final int OK = 200;

  private final HttpServer server;
  private final Map<String, Long> reactions = new ConcurrentHashMap<>();
  private volatile Optional<String> slowChat = Optional.empty();

  LoopbackPlatform() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::take);
    server.start();
  }

  /**
   * Writes the settings of a hub for this platform, and stores chats in which anybody may write.
   */
  void furnish(Path folder, int chats) throws IOException {
    Files.writeString(
        folder.resolve(SettingsFile.NAME),
        """
        [channels.%s]
        kind = "webhook"
        secret = "%s"
        url = "http://127.0.0.1:%d/"
        """
            .formatted(WebhookPosts.CHANNEL, WebhookPosts.SECRET, server.getAddress().getPort()));
    try (Ledger ledger = SqliteLedger.open(folder.resolve("midcourse.db"))) {
      ledger.write(tx -> {
        for (int i = 0; i < chats; i++) {
          Chat chat = chat(i);
          tx.chats().put(chat);
          tx.chats()
              .put(
                  Wiring.withDefaults(
                      WiringId.of("wiring-" + i),
                      chat,
                      EngineSettings.ANY_WORKER,
                      chat.createdAt()));
        }
        return chats;
      });
    }
  }

  private static Chat chat(int person) {
    return new Chat(
        ChatId.of(WebhookPosts.chat(person)),
        WebhookPosts.CHANNEL,
        WebhookPosts.chat(person),
        Optional.empty(),
        ChatKind.DIRECT,
        false,
        UnknownSenderPolicy.PUBLIC,
        Instant.now());
  }

  /** From now on, requests to the chat of this person are answered slowly; to no other chat. */
  void slowDown(Optional<Integer> person) {
    slowChat = person.map(WebhookPosts::chat);
  }

  /** When the first reaction on the message came, as {@link System#nanoTime}. */
  Optional<Long> reactionOn(String message) {
    return Optional.ofNullable(reactions.get(message));
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonValue.Obj body =
          JsonReader.readObject(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      if (body.string("type").equals(Optional.of("reaction"))) {
        reactions.putIfAbsent(body.string("message_id").orElseThrow(), System.nanoTime());
      }
      if (slowChat.isPresent() && slowChat.equals(body.string("chat"))) {
        Thread.sleep(SLOW_ANSWER);
      }
      byte[] answer = "{}".getBytes(UTF_8);
      exchange.sendResponseHeaders(OK, answer.length);
      exchange.getResponseBody().write(answer);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
