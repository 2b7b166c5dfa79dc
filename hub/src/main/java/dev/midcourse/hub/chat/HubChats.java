package dev.midcourse.hub.chat;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.catalogue.Channels;
import dev.midcourse.channels.outbox.OutboxSettings;
import dev.midcourse.channels.terminal.TerminalChannel;
import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.conversation.ApprovalService;
import dev.midcourse.engine.conversation.ConversationService;
import dev.midcourse.engine.conversation.attachment.AttachmentFetcher;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.ConversationWorkers;
import dev.midcourse.engine.conversation.context.RunLinks;
import dev.midcourse.engine.conversation.loop.ChatLoops;
import dev.midcourse.engine.conversation.notice.ChannelNoticeHandler;
import dev.midcourse.engine.conversation.tools.AgentMessages;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.hub.api.TerminalChatRoutes;
import dev.midcourse.hub.api.WebhookRoutes;
import dev.midcourse.hub.api.chat.ApprovalDecider;
import dev.midcourse.hub.api.chat.ChatOperations;
import dev.midcourse.hub.api.chat.ChatRoutes;
import dev.midcourse.hub.api.chat.MessageOperations;
import dev.midcourse.hub.api.chat.PeopleOperations;
import dev.midcourse.hub.api.chat.PeopleRoutes;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.channel.ChannelOperations;
import dev.midcourse.hub.channel.ChannelRoutes;
import dev.midcourse.hub.channel.PlatformChannels;
import dev.midcourse.hub.channel.PlatformUpdateRoutes;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.mcp.AgentChatOperations;
import dev.midcourse.hub.settings.ChatSettings;
import dev.midcourse.hub.settings.channel.ChannelSettings;
import dev.midcourse.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The chats of a hub: its channels, the conversations in them, and the routes to both. The person
 * who runs the hub is its owner in the terminal channel, because that person may do everything
 * anyway.
 */
public final class HubChats implements AutoCloseable {
  private final HubContext context;
  private final TerminalChannel terminal;
  private final List<WebhookChannel> webhooks;
  private final PlatformChannels platforms;
  private final Channels channels;
  private final ConversationWorkers workers;
  private final ConversationService conversations;
  private final ChannelNoticeHandler notices;

  public HubChats(
      HubContext context,
      ChatSettings settings,
      ChannelSettings channelSettings,
      Timers timers,
      RunLinks links,
      ChatLoops loops) {
    Engine engine = context.engine();
    Ledger ledger = engine.ledger();
    this.context = context;
    this.terminal = new TerminalChannel(ledger, context.facts().data(), context.clock());
    this.webhooks =
        channelSettings.webhooks().stream()
            .map(webhook -> new WebhookChannel(webhook, context.clock()))
            .toList();
    this.platforms =
        new PlatformChannels(
            channelSettings.platforms(), ledger, context.clock(), context.facts().data());
    List<Channel> all = new ArrayList<>(builtIn());
    all.addAll(platforms.opened());
    this.channels =
        new Channels(
            all,
            ledger,
            context.clock(),
            OutboxSettings.in(context.facts().data())
                .withGiveUpAfter(channelSettings.giveUpAfter()),
            new UnsentNotices(engine, timers));
    platforms.attach(channels);
    this.workers =
        new SettingsWorkers(
            context.workers(), settings.newWorkers(), context::defaultAgent, ledger);
    this.conversations =
        new ConversationService(
            new ConversationContext(
                engine.context(),
                engine.runs(),
                engine.steering(),
                workers,
                settings.conversations(),
                timers,
                channels.outbox(),
                links,
                new AttachmentFetcher(
                    this::fetch, ledger, engine.steering(), context.facts().data()),
                loops));
    this.notices =
        new ChannelNoticeHandler(
            engine.context(), channels.outbox(), settings.conversations().zone());
  }

  public ConversationService conversations() {
    return conversations;
  }

  private void fetch(ChannelName channel, Attachment file, Path target, long maxBytes)
      throws IOException {
    channels
        .named(channel)
        .orElseThrow(() -> new IOException("the channel " + channel + " is not configured"))
        .fetch(file, target, maxBytes);
  }

  /** What an agent can do in the chat of its run. */
  public AgentChatOperations agentOperations() {
    return new AgentChatOperations(
        new AgentMessages(context.engine().context(), channels.outbox(), conversations.questions()),
        context.permits());
  }

  /** Whether people reach the hub through a channel, so that it must not end when it is idle. */
  public boolean isAwaited() {
    return !webhooks.isEmpty() || !platforms.opened().isEmpty();
  }

  private List<Channel> builtIn() {
    return Stream.concat(Stream.of(terminal), webhooks.stream()).map(Channel.class::cast).toList();
  }

  /** The routes of the administration of chats. */
  public List<Route<?, ?>> routes() {
    ApprovalDecider decider = new Decider();
    ChatOperations chats = new ChatOperations(context, decider, workers);
    MessageOperations messages = new MessageOperations(context, chats, channels.outbox()::wake);
    ChannelOperations administration = new ChannelOperations(context, platforms, this::builtIn);
    return Stream.of(
            new PeopleRoutes(new PeopleOperations(context, decider)).routes(),
            new ChatRoutes(chats, messages).routes(),
            new ChannelRoutes(administration).routes())
        .<Route<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** The routes by which channels reach the hub. The description of the API leaves them out. */
  public List<Route<?, ?>> channelRoutes() {
    Map<String, WebhookChannel> byName =
        webhooks.stream()
            .collect(Collectors.toMap(channel -> channel.name().value(), Function.identity()));
    return Stream.of(
            new TerminalChatRoutes(context.engine().ledger(), context.denials(), terminal).routes(),
            new WebhookRoutes(byName).routes(),
            new PlatformUpdateRoutes(platforms).routes())
        .<Route<?, ?>>flatMap(List::stream)
        .toList();
  }

  private final class Decider implements ApprovalDecider {
    @Override
    public Optional<Outcome> decide(ApprovalId id, ApprovalDecision decision, Caller caller) {
      ApprovalService.Decided decided =
          conversations.approvals().decide(id, decision, caller, name(caller), Optional.empty());
      return Optional.of(new Outcome(decided.counted(), decided.text()));
    }

    @Override
    public void settle(Caller caller) {
      conversations.approvals().settle(name(caller));
    }

    private static String name(Caller caller) {
      return caller.author().group() + " via " + caller.author().origin();
    }
  }

  /** Begins to receive, to send and to report. */
  public void start() {
    ensureLocalOwner();
    conversations.start();
    channels.start(
        new ChannelListener() {
          @Override
          public void receive(InboundMessage message) {
            conversations.receive(message);
          }

          @Override
          public String click(ButtonClick click) {
            return conversations.click(click);
          }

          @Override
          public void reportUndelivered(ChannelName channel, String message, String reason) {
            channels.reportUndelivered(channel, message, reason);
          }

          @Override
          public void notice(ChannelName channel, ChannelNotice notice) {
            notices.handle(channel, notice);
          }
        });
  }

  /** The name that {@code midcourse chat} uses for the person at this terminal. */
  private static String localUser() {
    return Optional.ofNullable(System.getenv("USER"))
        .filter(name -> !name.isBlank())
        .orElseGet(() -> System.getProperty("user.name", "me"));
  }

  /** The owner at this terminal can be asked there, also before the first message. */
  private void ensureLocalOwner() {
    Identity local = new Identity(TerminalChannel.NAME, localUser());
    boolean known =
        context
            .engine()
            .ledger()
            .read(r ->
                r.chats()
                    .personOf(local)
                    .filter(person -> !r.chats().directChats(person.id()).isEmpty())
                    .isPresent());
    if (known) {
      return;
    }
    Instant now = context.clock().instant();
    context
        .engine()
        .ledger()
        .write(tx -> {
          if (tx.chats().personOf(local).isEmpty()) {
            PersonId id = PersonId.of(context.ids().token(10));
            tx.chats().put(new Person(id, local.handle(), Optional.empty(), now));
            tx.chats().put(new LinkedIdentity(local, id, local.handle(), now));
            tx.chats()
                .put(new RoleGrant(id, PersonRole.OWNER, Optional.empty(), Optional.empty(), now));
          }
          tx.chats().putDirectChat(local, TerminalChannel.directChat(local.handle()));
          return local;
        });
  }

  @Override
  public void close() {
    channels.close();
    conversations.close();
  }
}
