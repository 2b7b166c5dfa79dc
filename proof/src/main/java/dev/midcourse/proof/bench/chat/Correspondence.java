package dev.midcourse.proof.bench.chat;

import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.proof.bench.fixture.OpenLoop;

/** How numbered people write to a hub over one channel, each in a chat of their own. */
interface Correspondence {
  /**
   * The request with which a person writes.
   *
   * @param key distinguishes the message
   * @param text escaped for JSON
   */
  OpenLoop.Post message(int person, String key, String text);

  /**
   * The same as a reply, which steers the run of the message that it answers.
   *
   * @param answered the key of that message
   */
  OpenLoop.Post reply(int person, String key, String text, String answered);

  /** The field of a request that has its key. */
  String keyField();

  /** The message with this key as the ledger knows it. */
  MessageRef ref(int person, String key);
}
