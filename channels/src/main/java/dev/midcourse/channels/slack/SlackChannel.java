package dev.midcourse.channels.slack;

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
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.http.HttpReceiver;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.http.TextSocket;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackDirectory;
import dev.midcourse.channels.slack.api.SlackErrors;
import dev.midcourse.channels.slack.api.SlackFiles;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.channels.slack.receive.SlackCatchUp;
import dev.midcourse.channels.slack.receive.SlackIngest;
import dev.midcourse.channels.slack.receive.SlackMissedMessages;
import dev.midcourse.channels.slack.receive.SlackPosition;
import dev.midcourse.channels.slack.receive.SlackRequestReceiver;
import dev.midcourse.channels.slack.receive.SlackSocketSession;
import dev.midcourse.channels.slack.receive.SlackUpdateReader;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The channel to one workspace of Slack. */
final class SlackChannel implements Channel, HttpReceiver {
  private static final ChannelLimits LIMITS =
      new ChannelLimits(
          3_500,
          SlackRequestWriter.MAX_BUTTONS,
          256L * 1024 * 1024,
          Duration.ofSeconds(1),
          Duration.ofSeconds(2));
  private static final ChannelCapabilities CAPABILITIES =
      ChannelCapabilities.of(
          LIMITS,
          ChannelFeature.REACTIONS,
          ChannelFeature.EDITS,
          ChannelFeature.BUTTONS,
          ChannelFeature.FILES,
          ChannelFeature.TYPING,
          ChannelFeature.LOOK_UP);
  private static final Duration IDLE_INTERVAL = Duration.ofSeconds(1);
  private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(3);
  private static final int NOT_FOUND = 404;

  private final SlackSettings settings;
  private final ChannelContext context;
  private final Duration maxSilence;
  private final SlackClient client;
  private final SlackDirectory directory;
  private final SlackPosition position;
  private final SlackSender sender;
  private final ReceiveLoop loop;
  private volatile Optional<SlackAccount> account = Optional.empty();
  private volatile Optional<ChannelListener> listener = Optional.empty();
  private volatile Optional<PermanentFailureException> failure = Optional.empty();

  /**
   * @param maxSilence the silence after which a socket counts as dead
   */
  SlackChannel(SlackSettings settings, ChannelContext context, Duration maxSilence) {
    this.settings = settings;
    this.context = context;
    this.maxSilence = maxSilence;
    this.client = new SlackClient(new PlatformClient(settings.secrets()), settings);
    this.directory = new SlackDirectory(client, context.clock());
    this.position = new SlackPosition(context.state());
    this.sender =
        new SlackSender(
            client,
            position,
            context.clock(),
            () -> account,
            failed -> SlackErrors.permanent(failed).ifPresent(this::fail));
    this.loop =
        new ReceiveLoop(
            settings.name(), context.clock(), context.locks(), lockName(settings.botToken()));
  }

  /** The token itself must not be in the name. */
  private static String lockName(ChannelSecret token) {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(token.reveal().getBytes(UTF_8));
      return "slack:" + HexFormat.of().formatHex(sum, 0, 12);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return account.map(bot -> new Identity(name(), bot.user()));
  }

  @Override
  public ChannelCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public ChannelStatus status() {
    return loop.status();
  }

  @Override
  public void start(ChannelListener to) {
    listener = Optional.of(to);
    loop.start(connection -> runSession(connection, to), to);
  }

  private void runSession(ReceiveLoop.Connection connection, ChannelListener to) throws Exception {
    SlackAccount bot = SlackAccount.ask(client);
    account = Optional.of(bot);
    SlackUpdateReader reader = new SlackUpdateReader(name(), bot, directory);
    SlackIngest ingest = new SlackIngest(name(), to, client, position);
    SlackMissedMessages missed =
        new SlackMissedMessages(
            new SlackCatchUp(client, name(), to, reader, ingest, position),
            position,
            context.clock());
    try {
      switch (settings.mode()) {
        case SOCKET -> {
          SlackSocketSession session =
              new SlackSocketSession(
                  client,
                  settings.appToken().orElseThrow(),
                  reader,
                  ingest,
                  context.clock(),
                  maxSilence);
          TextSocket socket = session.open();
          connection.opened();
          missed.start();
          session.run(socket, connection, () -> check(missed));
        }
        case EVENTS -> {
          connection.opened();
          missed.start();
          while (connection.isWanted()) {
            check(missed);
            Thread.sleep(IDLE_INTERVAL);
          }
        }
      }
    } finally {
      missed.close();
    }
  }

  private void check(SlackMissedMessages missed) throws Exception {
    if (failure.isPresent()) {
      throw failure.get();
    }
    missed.check();
  }

  private void fail(PermanentFailureException e) {
    failure = Optional.of(e);
  }

  @Override
  public HttpReply receive(HttpCall call) {
    if (settings.mode() != SlackSettings.Mode.EVENTS || !call.method().equals("POST")) {
      return HttpReply.text(NOT_FOUND, "the channel takes no such requests");
    }
    return new SlackRequestReceiver(
            settings.signingSecret().orElseThrow(), context.clock(), this::ready, this::fail)
        .receive(call);
  }

  /** A host that waits for the lock takes requests as well, so that it has to know the bot. */
  private Optional<SlackRequestReceiver.Parts.Ready> ready() {
    if (listener.isEmpty()) {
      return Optional.empty();
    }
    if (account.isEmpty()) {
      try {
        account = Optional.of(SlackAccount.ask(client));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      } catch (Exception notNow) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new SlackRequestReceiver.Parts.Ready(
            new SlackUpdateReader(name(), account.orElseThrow(), directory),
            new SlackIngest(name(), listener.get(), client, position)));
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return sender.send(id, request);
  }

  @Override
  public LookUpResult lookUp(OutboundId id, ChannelRequest request) {
    return new SlackLookUp(client).find(id, request);
  }

  @Override
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    new SlackFiles(client).fetch(attachment, target, maxBytes);
  }

  /** Only threads have a line of status. */
  @Override
  public void showTyping(ChatAddress to) {
    if (to.thread().isEmpty()) {
      return;
    }
    try {
      client.call(
          "assistant.threads.setStatus",
          Map.of("channel_id", to.chat(), "thread_ts", to.thread().get(), "status", "is working…"),
          client.botToken(),
          STATUS_TIMEOUT);
    } catch (IOException notShown) {
      // The sign is a courtesy; an answer does not depend on it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The HTTP client stays open: a request may still be under way. It ends when nothing uses it. */
  @Override
  public void close() {
    loop.close();
    listener = Optional.empty();
  }
}
