package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import com.pengrad.telegrambot.TelegramBot;
import com.pengrad.telegrambot.UpdatesListener;
import com.pengrad.telegrambot.model.Update;
import com.pengrad.telegrambot.model.request.InlineKeyboardButton;
import com.pengrad.telegrambot.model.request.InlineKeyboardMarkup;
import com.pengrad.telegrambot.model.request.ParseMode;
import com.pengrad.telegrambot.request.AnswerCallbackQuery;
import com.pengrad.telegrambot.request.EditMessageText;
import com.pengrad.telegrambot.request.GetFile;
import com.pengrad.telegrambot.request.GetMe;
import com.pengrad.telegrambot.request.GetUpdates;
import com.pengrad.telegrambot.request.SendDocument;
import com.pengrad.telegrambot.request.SendMessage;
import dev.midcourse.channels.ClientPrograms;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients of other people take the fake for Telegram, so the fake is no invention of ours. */
class TelegramClientsTest {
  private final TelegramFixture fixture = new TelegramFixture();
  private final FakeTelegram telegram = fixture.telegram;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void the_java_library_of_pengrad_takes_the_fake_for_telegram() throws Exception {
    TelegramBot bot =
        new TelegramBot.Builder(FakeTelegram.TOKEN)
            .apiUrl(telegram.url() + "/bot")
            .fileApiUrl(telegram.url() + "/file/bot")
            .build();
    List<Update> received = new CopyOnWriteArrayList<>();
    bot.setUpdatesListener(
        updates -> {
          received.addAll(updates);
          return UpdatesListener.CONFIRMED_UPDATES_ALL;
        },
        new GetUpdates().timeout(20).limit(100));
    try {
      telegram.push(
          Updates.update(
              Updates.withEntities(
                  Updates.message(1, Updates.group()).with("text", "👍 @mid_bot"),
                  Updates.entity("mention", 3, 8))));
      telegram.push(Updates.click("q1", 5, "b1"));
      telegram.push(Updates.member("left", "member"));
      TelegramFixture.await().until(() -> received.size() == 3);
      fixture.awaitConfirmed();

      assertThat(received.get(0).message().text()).isEqualTo("👍 @mid_bot");
      assertThat(received.get(0).message().entities()[0].offset()).isEqualTo(3);
      assertThat(received.get(1).callbackQuery().data()).isEqualTo("b1");
      assertThat(received.get(2).myChatMember().newChatMember().status().name())
          .isEqualTo("member");
    } finally {
      bot.removeGetUpdatesListener();
    }

    assertThat(bot.execute(new GetMe()).user().username()).isEqualTo("mid_bot");
    var sent =
        bot.execute(
            new SendMessage(42, "<b>x</b>")
                .parseMode(ParseMode.HTML)
                .replyMarkup(
                    new InlineKeyboardMarkup(
                        new InlineKeyboardButton("Allow").callbackData("b1"))));
    assertThat(sent.isOk()).isTrue();
    int id = sent.message().messageId();
    assertThat(bot.execute(new EditMessageText(42, id, "y")).isOk()).isTrue();
    assertThat(bot.execute(new EditMessageText(42, id, "y")).description())
        .contains("message is not modified");
    assertThat(bot.execute(new AnswerCallbackQuery("q1").text("thanks")).isOk()).isTrue();
    assertThat(bot.execute(new AnswerCallbackQuery("q1")).description()).contains("too old");
    assertThat(bot.execute(new SendMessage(42, "<x>").parseMode(ParseMode.HTML)).errorCode())
        .isEqualTo(400);
    var file = bot.execute(new SendDocument(42, "content".getBytes(StandardCharsets.UTF_8)));
    assertThat(file.message().document().fileId()).isNotBlank();
    telegram.files.put("doc1", "content".getBytes(StandardCharsets.UTF_8));
    assertThat(bot.getFileContent(bot.execute(new GetFile("doc1")).file()))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("content");
    telegram.setWebhook("https://x.example.org", "");
    assertThat(bot.execute(new GetUpdates()).errorCode()).isEqualTo(409);
    bot.shutdown();
  }

  @Test
  @Tag("setup")
  void grammy_takes_the_fake_for_telegram() throws Exception {
    Path script = ClientPrograms.script("telegram", "bot.mjs");
    Process node =
        new ProcessBuilder("node", script.toString(), telegram.url(), FakeTelegram.TOKEN)
            .redirectErrorStream(true)
            .start();
    List<String> lines = new CopyOnWriteArrayList<>();
    Thread reading = Thread.ofVirtual().start(() -> read(node, lines));
    try {
      TelegramFixture.await().until(() -> lines.contains("{\"started\":\"mid_bot\"}"));
      telegram.push(
          Updates.update(
              Updates.withEntities(
                  Updates.message(1, Updates.group()).with("text", "👍 @mid_bot"),
                  Updates.entity("mention", 3, 8))));
      telegram.push(Updates.click("q1", 5, "b1"));
      telegram.push(Updates.member("left", "member"));
      telegram.push(Updates.text(2, "bye"));
      assertThat(node.waitFor(30, TimeUnit.SECONDS)).isTrue();
      reading.join();
    } finally {
      node.destroyForcibly();
    }

    assertThat(lines)
        .contains(
            "{\"text\":\"👍 @mid_bot\",\"from\":42,\"mentions\":[\"@mid_bot\"]}",
            "{\"click\":\"b1\"}",
            "{\"member\":\"member\"}")
        .anyMatch(line -> line.contains("can't parse entities"))
        .noneMatch(line -> line.contains("\"error\""));
    assertThat(telegram.chats.reaction(Updates.GROUP, 1)).contains("👀");
    assertThat(telegram.calls("sendDocument").getFirst().files().values())
        .containsExactly(new FakeForm.Upload("notes.txt", "notes"));
    assertThat(telegram.updates().pending()).isEmpty();
  }

  private static void read(Process node, List<String> lines) {
    try (BufferedReader out = node.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      while (line != null) {
        lines.add(line);
        line = out.readLine();
      }
    } catch (IOException e) {
      lines.add(String.valueOf(e.getMessage()));
    }
  }
}
