package dev.midcourse.proof.crash.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.catalogue.Channels;
import dev.midcourse.channels.outbox.OutboxSettings;
import dev.midcourse.channels.outbox.UnsentHandler;
import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.channels.webhook.WebhookSecret;
import dev.midcourse.channels.webhook.WebhookSettings;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.route.TalkPace;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.conversation.ConversationService;
import dev.midcourse.engine.conversation.attachment.AttachmentFetcher;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.ConversationSettings;
import dev.midcourse.engine.conversation.context.ConversationWorkers;
import dev.midcourse.engine.conversation.context.WorkerPlan;
import dev.midcourse.engine.timer.LocalTimers;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChannel;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChat;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.Fault;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;

/**
 * The conversations, the outbox and the webhook channels of a hub, for a drill that kills it. It
 * prints {@code ready PORT}, answers the line {@code quiet} with {@code quiet true} or {@code quiet
 * false}, and ends when its input ends.
 */
public final class ChatHub {
  /** The setting in which the conversations store how far they have read the log. */
  private static final String REPORTED = "conversations.cursor";

  private static final Log.Filter REPORTABLE =
      Log.Filter.of(
          RunEvent.TurnEnded.class,
          RunEvent.SteerRaised.class,
          RunEvent.SteerEnded.class,
          RunEvent.RunEnded.class);

  /** Short, so that the runs of a drill end. */
  private static final Duration LINGER = Duration.ofMillis(150);

  private static final int MAX_RUNS = 10_000;
  private static final int NO_BODY = -1;
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int UNAVAILABLE = 503;

  private final Engine engine;
  private final ConversationService conversations;
  private final Channels channels;
  private final Fault<ChatFaultPoint> fault;

  private ChatHub(
      Engine engine,
      ConversationService conversations,
      Channels channels,
      Fault<ChatFaultPoint> fault) {
    this.engine = engine;
    this.conversations = conversations;
    this.channels = channels;
    this.fault = fault;
  }

  /** Arguments: the folder, the store, the fault, and the URL of the platform. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    Fault<ChatFaultPoint> fault = Fault.of(ChatFaultPoint.class, args[2], out::println);
    FaultyChatParts faulty = new FaultyChatParts(fault);
    Ledger ledger = faulty.ledger(DrillStore.of(args[1]).open(folder));
    Engine engine =
        Engine.start(
            settings(folder),
            ledger,
            Drivers.of(Map.of(DrillChats.AGENT, new RehearsalDriver(ProcessHost.open()))),
            InstantSource.system(),
            new SecureRandom());
    Map<DrillChannel, WebhookChannel> webhooks = new EnumMap<>(DrillChannel.class);
    for (DrillChannel channel : DrillChannel.values()) {
      webhooks.put(channel, webhook(channel, URI.create(args[3])));
    }
    Channels channels =
        new Channels(
            webhooks.values().stream().<Channel>map(faulty::channel).toList(),
            ledger,
            InstantSource.system(),
            OutboxSettings.in(folder),
            UnsentHandler.NONE);
    Timers timers = faulty.timers(new LocalTimers(InstantSource.system()));
    ConversationService conversations =
        new ConversationService(
            new ConversationContext(
                engine.context(),
                engine.runs(),
                engine.steering(),
                new DrillWorkers(),
                conversationSettings(),
                timers,
                channels.outbox(),
                _ -> Optional.empty(),
                new AttachmentFetcher(
                    (_, file, _, _) -> {
                      throw new IOException("no file " + file.name());
                    },
                    engine.context().ledger(),
                    engine.steering(),
                    folder),
                new NoLoops()));
    ChatHub hub = new ChatHub(engine, conversations, channels, fault);
    HttpServer server = hub.open(webhooks, faulty);
    out.println("ready " + server.getAddress().getPort());
    hub.serve(out);
    server.stop(0);
    System.exit(0);
  }

  private static WebhookChannel webhook(DrillChannel channel, URI platform) {
    return new WebhookChannel(
        new WebhookSettings(
            channel.channel(),
            WebhookSecret.of(DrillChats.SECRET),
            Optional.of(platform.resolve("/" + channel.word())),
            WebhookSettings.DEFAULT_TIMEOUT,
            channel.features()),
        InstantSource.system());
  }

  private static ConversationSettings conversationSettings() {
    ConversationSettings defaults = ConversationSettings.defaults(ZoneOffset.UTC);
    return new ConversationSettings(
        defaults.zone(),
        defaults.maxMessagesPerPrompt(),
        Optional.of(LINGER),
        defaults.approvalLifetime(),
        defaults.progress(),
        defaults.stopWords(),
        defaults.texts(),
        TalkPace.Limits.NONE);
  }

  private static EngineSettings settings(Path folder) {
    return new EngineSettings(
        HostName.of("drill"),
        folder,
        200,
        Map.of(),
        Map.of(),
        StopTimeouts.DEFAULT,
        StallPolicy.DEFAULT,
        new RetryPolicy(Duration.ofMillis(50), Duration.ofMillis(400)),
        ProgressPolicy.DEFAULT,
        Duration.ofMillis(20),
        Duration.ofMinutes(5),
        Duration.ofMinutes(2));
  }

  /** Starts the conversations and the channels, in the order of a hub, and then the port. */
  private HttpServer open(Map<DrillChannel, WebhookChannel> webhooks, FaultyChatParts faulty)
      throws IOException {
    conversations.start();
    channels.start(
        faulty.listener(
            new ChannelListener() {
              @Override
              public void receive(InboundMessage message) {
                conversations.receive(message);
              }

              @Override
              public String click(ButtonClick click) {
                return conversations.click(click);
              }
            }));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    webhooks.forEach((name, channel) ->
        server.createContext("/" + name.word(), exchange -> take(channel, exchange)));
    server.start();
    return server;
  }

  private void take(WebhookChannel channel, HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      int status;
      try {
        WebhookChannel.Receipt receipt =
            channel.receive(
                header(exchange, WebhookChannel.TIMESTAMP),
                header(exchange, WebhookChannel.SIGNATURE),
                body);
        status =
            switch (receipt) {
              case WebhookChannel.Receipt.Stored _ -> OK;
              case WebhookChannel.Receipt.NotAuthenticated _ -> UNAUTHORIZED;
            };
      } catch (RefusedException refused) {
        status = UNAVAILABLE;
      }
      exchange.sendResponseHeaders(status, NO_BODY);
    }
    fault.at(ChatFaultPoint.AFTER_MESSAGE_IS_ACKNOWLEDGED);
  }

  private static Optional<String> header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  private void serve(PrintStream out) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(line.equals("quiet") ? "quiet " + isQuiet() : "what " + line);
    }
    channels.close();
    conversations.close();
    engine.close();
  }

  /** Returns whether no run, no message and no report waits. */
  private boolean isQuiet() {
    Ledger ledger = engine.ledger();
    boolean waits =
        ledger.read(r ->
            r.runs(RunQuery.newest(MAX_RUNS)).stream().map(Run::state).anyMatch(it -> it.live())
                || !r.chats().openChannels().isEmpty()
                || !r.chats().debouncing().isEmpty()
                || !r.chats().approvals().isEmpty());
    long reported = ledger.read(r -> r.setting(REPORTED)).map(Long::parseLong).orElse(0L);
    return !waits && ledger.log().after(reported, REPORTABLE, 1).entries().isEmpty();
  }

  /** The workers of the drill. Each conversation has a folder of its own. */
  private static final class DrillWorkers implements ConversationWorkers {
    @Override
    public List<WorkerName> wireable() {
      return Arrays.stream(DrillChat.values()).map(DrillChat::worker).toList();
    }

    @Override
    public Optional<WorkerPlan> plan(WorkerName worker) {
      return Optional.of(
          new WorkerPlan(worker, DrillChats.AGENT, Optional.empty(), PendingPolicy.ALL, 100));
    }

    @Override
    public boolean hasTemplate() {
      return false;
    }

    @Override
    public WorkerName fromTemplate(String name) {
      throw new UnsupportedOperationException("the drill has no template");
    }
  }
}
