package dev.midcourse.channels.discord;

import static dev.midcourse.channels.discord.FakeDiscord.CHANNEL;
import static dev.midcourse.channels.discord.FakeDiscord.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ClientPrograms;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import net.dv8tion.jda.api.JDA;
import net.dv8tion.jda.api.JDABuilder;
import net.dv8tion.jda.api.entities.Message;
import net.dv8tion.jda.api.events.message.MessageReceivedEvent;
import net.dv8tion.jda.api.hooks.ListenerAdapter;
import net.dv8tion.jda.api.requests.GatewayIntent;
import net.dv8tion.jda.api.requests.RestConfig;
import net.dv8tion.jda.api.utils.Compression;
import net.dv8tion.jda.api.utils.SessionControllerAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fake is Discord enough for clients of other people. */
@Timeout(90)
class DiscordClientsTest {
  private FakeDiscord discord;

  @BeforeEach
  void open() throws IOException {
    discord = new FakeDiscord();
  }

  @AfterEach
  void close() throws IOException {
    discord.close();
  }

  @Test
  @Tag("setup")
  void discordJsUsesTheFakeAsIfItWereDiscord() throws Exception {
    Path script = ClientPrograms.script("discord", "client.mjs");
    String api = discord.api().toString().replaceFirst("/v10$", "");
    Process client =
        new ProcessBuilder("node", script.toString(), api, FakeDiscord.TOKEN, CHANNEL)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<JsonValue.Obj> events = new CopyOnWriteArrayList<>();
    BufferedReader out = client.inputReader(); // closed with the process, which is read meanwhile
    Writer in = client.outputWriter();
    try {
      Thread.ofVirtual().start(() -> out.lines().map(JsonReader::readObject).forEach(events::add));
      awaitEvent(events, "ready");

      String message = discord.write(CHANNEL, "hello");
      discord.write(THREAD, "in the thread");
      awaitEvent(events, "message");
      await().until(() -> named(events, "message").size() == 2);
      assertThat(named(events, "message").get(1).is("thread")).isTrue();
      discord.edit(CHANNEL, message, "changed", Optional.of(Instant.now()));
      awaitEvent(events, "edit");

      tell(in, "send");
      awaitEvent(events, "history");
      JsonValue.Obj sent = named(events, "sent").getFirst();
      assertThat(sent.is("same")).isTrue();
      String card = sent.string("id").orElseThrow();
      assertThat(discord.reactions(CHANNEL, card)).containsExactly("👀");
      assertThat(named(events, "history").getFirst().texts("texts"))
          .containsExactly("edited", "changed");

      String click = discord.click(CHANNEL, card, "yes");
      awaitEvent(events, "click");
      assertThat(discord.isAnswered(click)).isTrue();
      assertThat(named(events, "click").getFirst().string("user")).contains(FakeDiscord.ANN);

      discord.gateway.askToReconnect();
      awaitEvent(events, "resumed");
      discord.delete(CHANNEL, message);
      awaitEvent(events, "delete");
      tell(in, "stop");
      assertThat(client.waitFor(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
      assertThat(named(events, "error")).isEmpty();
    } finally {
      client.destroyForcibly();
    }
  }

  private static void tell(Writer in, String command) throws IOException {
    in.write(command + "\n");
    in.flush();
  }

  private static List<JsonValue.Obj> named(List<JsonValue.Obj> events, String name) {
    return events.stream()
        .filter(event -> event.string("event").filter(name::equals).isPresent())
        .toList();
  }

  private static void awaitEvent(List<JsonValue.Obj> events, String name) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> assertThat(named(events, name)).as("%s in %s", name, events).isNotEmpty());
  }

  @Test
  void jdaUsesTheFakeAsIfItWereDiscord() throws Exception {
    List<String> texts = new CopyOnWriteArrayList<>();
    SessionControllerAdapter controller =
        new SessionControllerAdapter() {
          @Override
          public String getGateway() {
            return discord.gateway.uri().toString();
          }
        };
    JDA jda =
        JDABuilder.createLight(
                FakeDiscord.TOKEN, GatewayIntent.GUILD_MESSAGES, GatewayIntent.MESSAGE_CONTENT)
            .setRestConfig(new RestConfig().setBaseUrl(discord.api() + "/"))
            .setSessionController(controller)
            .setCompression(Compression.NONE)
            .addEventListeners(
                new ListenerAdapter() {
                  @Override
                  public void onMessageReceived(MessageReceivedEvent event) {
                    texts.add(event.getMessage().getContentRaw());
                  }
                })
            .build();
    try {
      jda.awaitReady();
      discord.write(CHANNEL, "hello");
      await().until(() -> texts.contains("hello"));

      var channel = Optional.ofNullable(jda.getTextChannelById(CHANNEL)).orElseThrow();
      Message sent = channel.sendMessage("of JDA").complete();
      sent.editMessage("edited").complete();

      assertThat(discord.stored(CHANNEL, sent.getId()).string("content")).contains("edited");
      assertThat(channel.getHistory().retrievePast(10).complete()).hasSize(2);
    } finally {
      jda.shutdownNow();
      assertThat(jda.awaitShutdown(Duration.ofSeconds(10))).isTrue();
    }
  }
}
