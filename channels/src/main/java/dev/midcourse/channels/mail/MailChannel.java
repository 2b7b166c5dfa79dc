package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.mail.message.MailBody;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPMessage;
import org.eclipse.angus.mail.imap.IMAPStore;

/** A channel over a mailbox. A chat is the address of a person; a thread is a thread of mails. */
final class MailChannel implements Channel {
  private static final ChannelLimits LIMITS =
      new ChannelLimits(
          60_000, 20, 10L * 1024 * 1024, Duration.ofSeconds(1), Duration.ofSeconds(1));

  private final MailSettings settings;
  private final ChannelContext context;
  private final MailConnections connections;
  private final MailTokens tokens;
  private final MailThreads threads;
  private final MailSender sender;
  private final ReceiveLoop loop;

  MailChannel(MailSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
    this.connections = new MailConnections(settings);
    this.tokens = MailTokens.open(context.state());
    this.threads = new MailThreads(context.state());
    this.sender =
        new MailSender(
            settings, connections, new MailWriter(settings, tokens, threads), context.clock());
    this.loop = new ReceiveLoop(settings.name(), context.clock(), context.locks(), lockName());
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return Optional.of(new Identity(settings.name(), settings.address()));
  }

  @Override
  public ChannelCapabilities capabilities() {
    Set<ChannelFeature> features = EnumSet.of(ChannelFeature.BUTTONS, ChannelFeature.FILES);
    if (settings.sentFolder().isPresent()) {
      features.add(ChannelFeature.LOOK_UP);
    }
    return new ChannelCapabilities(features, LIMITS);
  }

  @Override
  public ChannelStatus status() {
    return loop.status();
  }

  @Override
  public void start(ChannelListener listener) {
    MailReceiver receiver =
        new MailReceiver(
            settings,
            connections,
            new MailReader(settings, tokens),
            threads,
            context.state(),
            listener,
            context.clock());
    loop.start(receiver, listener);
  }

  private String lockName() {
    String mailbox = settings.imap().host() + " " + settings.user() + " " + settings.folder();
    return "mail-" + UUID.nameUUIDFromBytes(mailbox.getBytes(UTF_8));
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.SendText _, ChannelRequest.SendCard _, ChannelRequest.SendFile _ ->
          sender.send(id, request);
      // A mail cannot be changed: the decision about a card comes as a mail of its own.
      case ChannelRequest.CloseCard _ -> sender.send(id, request);
      case ChannelRequest.EditText _, ChannelRequest.SetReaction _ ->
          new SendResult.Refused("a mail cannot be changed");
    };
  }

  @Override
  public LookUpResult lookUp(OutboundId id, ChannelRequest request) {
    return sender.lookUp(id, request);
  }

  @Override
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    String[] place = attachment.reference().split("/", -1);
    if (place.length != 3 || !attachment.reference().matches("[0-9/]{5,50}")) {
      throw new IOException("the file is not one of a mail");
    }
    try (IMAPStore store = connections.openStore();
        IMAPFolder folder = (IMAPFolder) store.getFolder(settings.folder())) {
      folder.open(Folder.READ_ONLY);
      Message mail =
          folder.getUIDValidity() == Long.parseLong(place[0])
              ? folder.getMessageByUID(Long.parseLong(place[1]))
              : null;
      if (mail == null) {
        throw new IOException("the mail is no longer in the mailbox");
      }
      byte[] bytes =
          MailReceiver.bytes((IMAPMessage) mail)
              .orElseThrow(() -> new IOException("the mail is too large"));
      MailBody body =
          MailBody.read(
              new MimeMessage(MailReader.NO_SESSION, new ByteArrayInputStream(bytes)), "");
      Part part =
          body.attached(Integer.parseInt(place[2]))
              .orElseThrow(() -> new IOException("the mail has no such file"));
      copy(part, target, maxBytes);
    } catch (MessagingException e) {
      throw new IOException(
          settings.password().get().redact("the mail cannot be fetched: " + e.getMessage()));
    }
  }

  private static void copy(Part part, Path target, long maxBytes)
      throws IOException, MessagingException {
    boolean isWhole = false;
    try (InputStream in = part.getInputStream();
        OutputStream out =
            Files.newOutputStream(
                target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      byte[] buffer = new byte[64 * 1024];
      long bytes = 0;
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytes += read;
        if (bytes > maxBytes) {
          throw new IOException("the file has more than " + maxBytes + " bytes");
        }
        out.write(buffer, 0, read);
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        Files.deleteIfExists(target);
      }
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
