package dev.midcourse.channels.matrix;

import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.time.Duration;

/**
 * One account of the bot.
 *
 * @param server the address of the homeserver
 * @param join which invitations are accepted
 * @param syncTimeout how long the server may wait for news
 */
record MatrixSettings(
    ChannelName name, URI server, ChannelSecret token, Join join, Duration syncTimeout) {

  /**
   * Which invitations the bot accepts. A joined room still waits for approval before it is heard.
   */
  enum Join {
    INVITED,
    NEVER
  }
}
