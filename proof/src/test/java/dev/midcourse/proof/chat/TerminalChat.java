package dev.midcourse.proof.chat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.hub.Hub;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The owner of a hub at the terminal channel, over HTTP, and the outbox behind it. */
final class TerminalChat {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String OWNER = System.getProperty("user.name");

  private final Hub hub;
  private final Path data;
  private final HttpClient client = HttpClient.newHttpClient();

  TerminalChat(Hub hub, Path data) {
    this.hub = hub;
    this.data = data;
  }

  /** Writes a message as the owner. */
  void write(String text) throws IOException, InterruptedException {
    post("/api/v1/terminal/messages", Map.of("user", OWNER, "text", text, "key", nextKey()));
  }

  /** Writes a reply to the newest card as the owner. */
  void replyToCard(String text) throws IOException, InterruptedException {
    String card = newestCard().orElseThrow().platformId().orElseThrow();
    post(
        "/api/v1/terminal/messages",
        Map.of("user", OWNER, "text", text, "reply_to", card, "key", nextKey()));
  }

  /** Clicks the button with this label on the newest card. Returns the text for the owner. */
  String click(String label) throws IOException, InterruptedException {
    OutboundMessage sent = newestCard().orElseThrow();
    OutboundContent.Card card = (OutboundContent.Card) sent.content();
    String button =
        card.buttons().stream()
            .filter(it -> it.label().equals(label))
            .findFirst()
            .orElseThrow()
            .id();
    return post(
            "/api/v1/terminal/clicks",
            Map.of(
                "user",
                OWNER,
                "message",
                sent.platformId().orElseThrow(),
                "button",
                button,
                "key",
                nextKey()))
        .path("text")
        .asString();
  }

  /** The newest card that was sent. */
  Optional<OutboundMessage> newestCard() {
    return outbox().stream()
        .filter(it -> it.content() instanceof OutboundContent.Card)
        .filter(it -> it.state() == OutboundState.SENT)
        .findFirst();
  }

  /** The messages of the outbox, newest first. */
  List<OutboundMessage> outbox() {
    return hub.engine()
        .ledger()
        .read(r -> r.chats().outbox(EnumSet.allOf(OutboundState.class), Optional.empty(), 200));
  }

  /** The texts that were sent as messages of their own, oldest first. */
  List<String> texts() {
    return outbox().reversed().stream()
        .filter(it -> it.rank() == OutboundMessage.RANK_ANSWER)
        .map(OutboundMessage::content)
        .filter(OutboundContent.Text.class::isInstance)
        .map(content -> ((OutboundContent.Text) content).markdown())
        .toList();
  }

  private static String nextKey() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  private JsonNode post(String path, Map<String, String> body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(hub.url() + path))
            .header("Authorization", "Bearer " + Files.readString(data.resolve("token")).strip())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body), UTF_8))
            .build();
    var response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    return JSON.readTree(response.body());
  }
}
