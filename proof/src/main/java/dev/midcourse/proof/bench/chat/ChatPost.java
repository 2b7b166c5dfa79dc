package dev.midcourse.proof.bench.chat;

import dev.midcourse.proof.bench.fixture.OpenLoop;

/** The request with which a person writes in the terminal channel. */
final class ChatPost {
  private static final String PATH = "/terminal/messages";

  private ChatPost() {}

  /**
   * @param key distinguishes the message
   * @param text escaped for JSON
   */
  static OpenLoop.Post of(int person, String key, String text) {
    return new OpenLoop.Post(
        PATH,
        "{\"user\":\"%s\",\"text\":\"%s\",\"key\":\"%s\"}"
            .formatted(StoredChats.handle(person), text, key));
  }

  /**
   * The same as a reply, which steers the run of the message that it answers.
   *
   * @param answered the key of that message
   */
  static OpenLoop.Post reply(int person, String key, String text, String answered) {
    OpenLoop.Post post = of(person, key, text);
    String field = "\"reply_to\":\"" + answered + "\",";
    return new OpenLoop.Post(PATH, "{" + field + post.body().substring(1));
  }
}
