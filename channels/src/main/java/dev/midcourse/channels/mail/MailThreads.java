package dev.midcourse.channels.mail;

import dev.midcourse.channels.connection.ChannelState;
import java.util.Optional;

/**
 * The newest threads of a mailbox, in a bounded number of places of the state. A thread may lose
 * its place to a newer one; an answer in it then has a subject made of its text.
 */
final class MailThreads {
  private static final int PLACES = 1_024;

  private final ChannelState state;

  MailThreads(ChannelState state) {
    this.state = state;
  }

  void put(MailThread thread) {
    if (find(thread.id()).filter(thread::equals).isEmpty()) {
      state.put(place(thread.id()), thread.toJson());
    }
  }

  Optional<MailThread> find(String id) {
    return state.get(place(id)).flatMap(MailThread::ofJson).filter(found -> found.id().equals(id));
  }

  private static String place(String id) {
    return "thread_" + Math.floorMod(id.hashCode(), PLACES);
  }
}
