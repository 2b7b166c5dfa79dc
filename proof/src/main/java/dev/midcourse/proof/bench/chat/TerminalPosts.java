package dev.midcourse.proof.bench.chat;

import dev.midcourse.channels.terminal.TerminalChannel;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.proof.bench.fixture.OpenLoop;

/** The requests with which people write in the terminal channel. */
final class TerminalPosts implements Correspondence {
  private static final String PATH = "/terminal/messages";

  @Override
  public OpenLoop.Post message(int person, String key, String text) {
    return new OpenLoop.Post(
        PATH,
        "{\"user\":\"%s\",\"text\":\"%s\",\"key\":\"%s\"}"
            .formatted(StoredChats.handle(person), text, key));
  }

  @Override
  public OpenLoop.Post reply(int person, String key, String text, String answered) {
    String field = "\"reply_to\":\"" + answered + "\",";
    return new OpenLoop.Post(PATH, "{" + field + message(person, key, text).body().substring(1));
  }

  @Override
  public String keyField() {
    return "key";
  }

  @Override
  public MessageRef ref(int person, String key) {
    return new MessageRef(TerminalChannel.NAME, StoredChats.platformId(person), key);
  }
}
