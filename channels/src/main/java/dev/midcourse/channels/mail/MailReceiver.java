package dev.midcourse.channels.mail;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.mail.message.LoopGuard;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.FetchProfile;
import jakarta.mail.Folder;
import jakarta.mail.FolderNotFoundException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.UIDFolder;
import jakarta.mail.search.ComparisonTerm;
import jakarta.mail.search.ReceivedDateTerm;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPMessage;
import org.eclipse.angus.mail.imap.IMAPStore;

/**
 * Takes new mail from a mailbox: everything after the stored position, then waits with IDLE, which
 * ends after the poll interval at the latest. Flags of mails are never changed.
 */
final class MailReceiver implements ReceiveLoop.Session {
  static final String CURSOR = "cursor";
  static final int MAX_MAIL_BYTES = 30 * 1024 * 1024;

  private static final System.Logger LOG = System.getLogger(MailReceiver.class.getName());
  private static final int MAX_REFUSED_LOGINS = 3;

  /** A server may be a day off in searches by date. */
  private static final Duration DATE_TOLERANCE = Duration.ofDays(2);

  private final MailSettings settings;
  private final MailConnections connections;
  private final MailReader reader;
  private final MailThreads threads;
  private final LoopGuard guard;
  private final ChannelState state;
  private final ChannelListener listener;
  private final InstantSource clock;
  private int refusedLogins;

  MailReceiver(
      MailSettings settings,
      MailConnections connections,
      MailReader reader,
      MailThreads threads,
      ChannelState state,
      ChannelListener listener,
      InstantSource clock) {
    this.settings = settings;
    this.connections = connections;
    this.reader = reader;
    this.threads = threads;
    this.guard = new LoopGuard(settings.maxPerHour());
    this.state = state;
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public void run(ReceiveLoop.Connection connection) throws Exception {
    try (IMAPStore store = open()) {
      receive(store, connection);
    } catch (FolderNotFoundException e) {
      throw new PermanentFailureException(
          "the mailbox has no folder " + settings.folder(),
          "Correct the setting folder of the channel, then restart the hub.");
    }
  }

  /** Servers also refuse a login when they are busy: only several in a row are permanent. */
  private IMAPStore open() throws MessagingException, PermanentFailureException {
    try {
      IMAPStore store = connections.openStore();
      refusedLogins = 0;
      return store;
    } catch (AuthenticationFailedException e) {
      refusedLogins++;
      if (refusedLogins >= MAX_REFUSED_LOGINS) {
        throw new PermanentFailureException(
            "the mail server refuses the login of " + settings.user() + ": " + e.getMessage(),
            "Give the channel a new password (many providers want one made for apps), then restart"
                + " the hub.");
      }
      throw e;
    }
  }

  private void receive(IMAPStore store, ReceiveLoop.Connection connection) throws Exception {
    try (IMAPFolder folder = (IMAPFolder) store.getFolder(settings.folder())) {
      folder.open(Folder.READ_ONLY);
      connection.opened();
      boolean canIdle = store.hasCapability("IDLE");
      Thread renewal = Thread.ofVirtual().name("mail-renewal").unstarted(() -> renew(folder));
      if (canIdle) {
        renewal.start();
      }
      try {
        while (connection.isWanted()) {
          int known = folder.getMessageCount();
          catchUp(folder, connection);
          if (!connection.isWanted() || folder.getMessageCount() > known) {
            continue;
          }
          if (canIdle) {
            folder.idle(true);
          } else {
            Thread.sleep(settings.poll());
          }
        }
      } finally {
        renewal.interrupt();
      }
    }
  }

  /** Ends IDLE after each poll interval: any command on the folder does it. */
  private void renew(IMAPFolder folder) {
    try {
      while (folder.isOpen()) {
        Thread.sleep(settings.poll());
        folder.getMessageCount();
      }
    } catch (InterruptedException | MessagingException | IllegalStateException ended) {
      LOG.log(Level.DEBUG, "The renewal of IDLE of the channel {0} has ended.", settings.name());
    }
  }

  private void catchUp(IMAPFolder folder, ReceiveLoop.Connection connection) throws Exception {
    long validity = folder.getUIDValidity();
    Optional<MailCursor> stored = state.get(CURSOR).flatMap(MailCursor::of);
    MailCursor cursor;
    List<Message> mails;
    if (stored.isEmpty()) {
      cursor = new MailCursor(validity, newestUid(folder), clock.instant());
      store(cursor);
      mails = List.of();
    } else if (stored.get().validity() != validity) {
      LOG.log(
          Level.WARNING,
          "The mailbox of the channel {0} has new numbers; its mails of the last days are read"
              + " again. Mails that were taken before change nothing.",
          settings.name());
      cursor = new MailCursor(validity, 0, stored.get().receivedAt());
      Date since = Date.from(cursor.receivedAt().minus(DATE_TOLERANCE));
      mails = List.of(folder.search(new ReceivedDateTerm(ComparisonTerm.GE, since)));
      if (mails.isEmpty()) {
        store(new MailCursor(validity, newestUid(folder), cursor.receivedAt()));
      }
    } else {
      cursor = stored.get();
      // "last+1:*" always has at least the last mail, so that its number must be compared.
      mails = List.of(folder.getMessagesByUID(cursor.uid() + 1, UIDFolder.LASTUID));
    }
    take(folder, mails, cursor, connection);
  }

  private static long newestUid(IMAPFolder folder) throws MessagingException {
    long next = folder.getUIDNext();
    if (next > 0) {
      return next - 1;
    }
    int count = folder.getMessageCount();
    return count == 0 ? 0 : folder.getUID(folder.getMessage(count));
  }

  /** A mail and its number. */
  private record Numbered(IMAPMessage mail, long uid) {}

  private void take(
      IMAPFolder folder, List<Message> mails, MailCursor from, ReceiveLoop.Connection connection)
      throws Exception {
    FetchProfile profile = new FetchProfile();
    profile.add(UIDFolder.FetchProfileItem.UID);
    profile.add(FetchProfile.Item.SIZE);
    profile.add(FetchProfile.Item.ENVELOPE); // has the time at which the server got the mail
    folder.fetch(mails.toArray(Message[]::new), profile);
    MailCursor cursor = from;
    for (Numbered next : numbered(folder, mails, from.uid())) {
      if (!connection.isWanted()) {
        return;
      }
      Instant receivedAt =
          Optional.ofNullable(next.mail().getReceivedDate())
              .map(Date::toInstant)
              .orElseGet(clock::instant);
      take(next, from.validity(), receivedAt);
      cursor = cursor.after(next.uid(), receivedAt);
      store(cursor);
    }
  }

  private static List<Numbered> numbered(IMAPFolder folder, List<Message> mails, long after)
      throws MessagingException {
    Numbered[] all = new Numbered[mails.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Numbered((IMAPMessage) mails.get(i), folder.getUID(mails.get(i)));
    }
    return Arrays.stream(all)
        .filter(it -> it.uid() > after)
        .sorted(Comparator.comparingLong(Numbered::uid))
        .toList();
  }

  /** Returns when the mail is durable or is certain to change nothing; throws to try it again. */
  private void take(Numbered next, long validity, Instant receivedAt) throws Exception {
    String place = validity + "/" + next.uid();
    try {
      Optional<byte[]> bytes = bytes(next.mail());
      if (bytes.isEmpty()) {
        skip(place, "it has more than " + MAX_MAIL_BYTES + " bytes");
        return;
      }
      switch (reader.read(bytes.get(), place, receivedAt)) {
        case MailUpdate.Message(var message, var thread) -> {
          boolean isProved = message.sender().identity().isPresent();
          if (!guard.admit(message.ref().chat() + (isProved ? "" : " unproved"), receivedAt)) {
            skip(place, "its sender has sent more than " + settings.maxPerHour() + " in an hour");
            return;
          }
          threads.put(thread);
          listener.receive(message);
        }
        case MailUpdate.Click(var click) -> listener.click(click);
        case MailUpdate.Undelivered(var report) ->
            listener.reportUndelivered(settings.name(), report.messageId(), report.reason());
        case MailUpdate.Skip(String reason) -> skip(place, reason);
      }
    } catch (jakarta.mail.MessageRemovedException e) {
      skip(place, "it was deleted");
    } catch (RefusedException e) {
      if (e.problem().code() == Code.UNAVAILABLE) {
        throw e;
      }
      skip(place, "it was refused: " + e.getMessage());
    }
  }

  private void skip(String place, String reason) {
    LOG.log(
        Level.WARNING,
        "The channel {0} does not take the mail {1}: {2}.",
        settings.name(),
        place,
        reason);
  }

  /** The whole mail, without marking it as read; empty if it is too large. */
  static Optional<byte[]> bytes(IMAPMessage mail) throws MessagingException, IOException {
    if (mail.getSize() > MAX_MAIL_BYTES) {
      return Optional.empty();
    }
    mail.setPeek(true);
    try (InputStream in = mail.getMimeStream()) {
      byte[] bytes = in.readNBytes(MAX_MAIL_BYTES + 1);
      return bytes.length > MAX_MAIL_BYTES ? Optional.empty() : Optional.of(bytes);
    }
  }

  private void store(MailCursor cursor) {
    state.put(CURSOR, cursor.text());
  }
}
