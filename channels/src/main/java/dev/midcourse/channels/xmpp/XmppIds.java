package dev.midcourse.channels.xmpp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smackx.sid.element.StanzaIdElement;
import org.jxmpp.jid.Jid;

/**
 * The ids of messages. In a room a message is known by the id that the room gave to it; between two
 * people, by the id of its sender. A correction names the id of the sender in both. Remembers the
 * newest of the ids of senders in rooms; bounded, and it does not outlive the process.
 */
final class XmppIds {
  private static final int MAX_REMEMBERED = 5_000;

  private final Map<String, String> archiveIds = new LinkedHashMap<>(); // guarded by this
  private final Map<String, String> senderIds = new LinkedHashMap<>(); // guarded by this

  /**
   * The id that this archive gave to a message. A sender cannot forge it: only {@code by} counts.
   */
  static Optional<String> archiveId(Message message, Jid archive) {
    return message.getExtensions(StanzaIdElement.class).stream()
        .filter(element -> element.getBy().equals(archive.toString()))
        .map(StanzaIdElement::getId)
        .filter(XmppIds::isValid)
        .findFirst();
  }

  static boolean isValid(String id) {
    return !id.isBlank() && id.length() <= 200 && id.indexOf('\0') < 0;
  }

  /**
   * Remembers the two ids of a message in a room.
   *
   * @param author who alone may correct it
   */
  synchronized void remember(String author, String senderId, String archiveId) {
    put(archiveIds, author + "\n" + senderId, archiveId);
    put(senderIds, archiveId, senderId);
  }

  private static void put(Map<String, String> map, String key, String value) {
    map.put(key, value);
    if (map.size() > MAX_REMEMBERED) {
      map.remove(map.keySet().iterator().next());
    }
  }

  /** The id in the room of the message that this author sent under this id. */
  synchronized Optional<String> archiveIdOf(String author, String senderId) {
    return Optional.ofNullable(archiveIds.get(author + "\n" + senderId));
  }

  /** The id under which a message of a room was sent. */
  synchronized Optional<String> senderIdOf(String archiveId) {
    return Optional.ofNullable(senderIds.get(archiveId));
  }
}
