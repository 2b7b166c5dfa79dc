package dev.midcourse.channels.outbox;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.CloseCard;
import dev.midcourse.core.chat.outbound.OutboundContent.Edit;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.RetryDelay;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.chat.ChatWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Sends one message. Stores that it is being sent before it calls the platform, and the result
 * after; both with the lowest priority, because a person who steers waits for the same disk. A call
 * whose result is not known is repeated only if the platform recognises the repetition or is found
 * not to have the message; else the message ends as unknown.
 */
final class MessageDelivery {
  private static final System.Logger LOG = System.getLogger(MessageDelivery.class.getName());
  private static final Duration STORE_RETRY_INTERVAL = Duration.ofSeconds(1);
  private static final String INTERRUPTED =
      "The hub ended while this message was being sent. It may have arrived; Midcourse does not"
          + " send it again by itself.";

  private final Channel channel;
  private final Ledger ledger;
  private final InstantSource clock;
  private final OutboxSettings settings;
  private final UnsentHandler unsent;
  private final SendPlanner planner;

  MessageDelivery(
      Channel channel,
      Ledger ledger,
      InstantSource clock,
      OutboxSettings settings,
      UnsentHandler unsent) {
    this.channel = channel;
    this.ledger = ledger;
    this.clock = clock;
    this.settings = settings;
    this.unsent = unsent;
    this.planner = new SendPlanner(channel.capabilities(), settings.data());
  }

  /** Sends the message, if it still waits. */
  void deliver(OutboundId id) {
    ledger
        .write(Priority.LAZY, tx -> claim(tx, id))
        .ifPresent(request -> record(id, request, resultOf(id, request)));
  }

  /** Decides about a message that was being sent when an earlier hub ended. */
  void recover(OutboundMessage message) {
    Optional<ChannelRequest> request = ledger.read(reading -> requestOf(reading.chats(), message));
    if (request.isEmpty() || isRepeatable(request.get())) {
      store(message.id(), (tx, current) -> tx.chats().put(current.requeued()));
    } else if (channel.capabilities().has(ChannelFeature.LOOK_UP)) {
      record(message.id(), request.get(), lookUp(message.id(), request.get()));
    } else {
      store(message.id(), (tx, current) -> end(tx, current, OutboundState.UNKNOWN, INTERRUPTED));
    }
  }

  private Optional<ChannelRequest> requestOf(ChatReader reading, OutboundMessage message) {
    return planner.plan(message, targetOf(reading, message.content())) instanceof SendPlan.Call call
        ? Optional.of(call.request())
        : Optional.empty();
  }

  /** Marks the message as being sent; returns the request, or nothing if there is none to make. */
  private Optional<ChannelRequest> claim(Transaction tx, OutboundId id) {
    OutboundMessage message = tx.chats().outbound(id).orElse(null);
    if (message == null || message.state() != OutboundState.QUEUED) {
      return Optional.empty();
    }
    if (message.tries() > 0 && isTooOld(message)) {
      end(tx, message, OutboundState.FAILED, message.problem().orElse("all tries failed"));
      return Optional.empty();
    }
    Optional<OutboundMessage> target = targetOf(tx.chats(), message.content());
    return switch (planner.plan(message, target)) {
      case SendPlan.Call(ChannelRequest request, var first, var rest) -> {
        tx.chats().put((rest.isEmpty() ? message : message.with(first)).sending());
        putParts(tx.chats(), message, rest);
        yield Optional.of(request);
      }
      case SendPlan.Skip(String reason) -> {
        tx.chats().put(message.ended(OutboundState.SKIPPED, reason));
        yield Optional.empty();
      }
      case SendPlan.Fail(String reason) -> {
        end(tx, message, OutboundState.FAILED, reason);
        yield Optional.empty();
      }
      case SendPlan.ChangeTarget(OutboundContent content) -> {
        tx.chats().put(target.orElseThrow().with(content));
        tx.chats()
            .put(
                message.ended(
                    OutboundState.SKIPPED, "the message that it changes got the new text itself"));
        yield Optional.empty();
      }
    };
  }

  /** The further parts of a long message go before everything else that waits in the chat. */
  private void putParts(ChatWriter chats, OutboundMessage message, List<OutboundContent> parts) {
    int part = 2;
    for (OutboundContent content : parts) {
      chats.put(
          OutboundMessage.queued(
              OutboundId.of(message.id() + "-" + part++),
              chats.nextOutboundNumber(),
              message.to(),
              content,
              message.rank() - 1,
              Optional.empty(),
              message.run(),
              message.createdAt()));
    }
  }

  private static Optional<OutboundMessage> targetOf(ChatReader chats, OutboundContent content) {
    return switch (content) {
      case Edit(OutboundId message, var _) -> chats.outbound(message);
      case CloseCard(OutboundId card, var _) -> chats.outbound(card);
      case OutboundContent _ -> Optional.empty();
    };
  }

  private SendResult resultOf(OutboundId id, ChannelRequest request) {
    Optional<String> objection =
        request instanceof ChannelRequest.SendFile file ? objection(file) : Optional.empty();
    if (objection.isPresent()) {
      return new SendResult.Refused(objection.get());
    }
    SendResult result = call(id, request);
    boolean mayHaveArrived =
        result instanceof SendResult.Unknown
            && !isRepeatable(request)
            && channel.capabilities().has(ChannelFeature.LOOK_UP);
    return mayHaveArrived ? lookUp(id, request) : result;
  }

  private SendResult call(OutboundId id, ChannelRequest request) {
    try {
      return channel.send(id, request);
    } catch (RuntimeException e) {
      return new SendResult.Unknown("the channel " + channel.name() + " failed: " + e);
    }
  }

  private SendResult lookUp(OutboundId id, ChannelRequest request) {
    LookUpResult found;
    try {
      found = channel.lookUp(id, request);
    } catch (RuntimeException e) {
      found = new LookUpResult.NotKnown("the channel " + channel.name() + " failed: " + e);
    }
    return switch (found) {
      case LookUpResult.Found(String message) -> new SendResult.Sent(message);
      case LookUpResult.Absent() ->
          new SendResult.RetryAfter(Duration.ZERO, "an earlier try did not reach the platform");
      case LookUpResult.NotKnown(String reason) -> new SendResult.Unknown(reason);
    };
  }

  /** A file outside of the data folder is never sent, whatever links lead to it. */
  private Optional<String> objection(ChannelRequest.SendFile file) {
    try {
      Path real = file.file().toRealPath();
      if (!real.startsWith(settings.data().toRealPath()) || !Files.isRegularFile(real)) {
        return Optional.of("the file " + file.name() + " is not a file below the data folder");
      }
      long max = channel.capabilities().limits().maxFileBytes();
      return Files.size(real) > max
          ? Optional.of("the file " + file.name() + " is over the limit of " + max + " bytes")
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of("the file " + file.name() + " cannot be read: " + e);
    }
  }

  /** Whether the same request again has the same effect as once. */
  private boolean isRepeatable(ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.EditText _, ChannelRequest.SetReaction _, ChannelRequest.CloseCard _ ->
          true;
      case ChannelRequest.SendText _, ChannelRequest.SendCard _, ChannelRequest.SendFile _ ->
          channel.capabilities().has(ChannelFeature.IDEMPOTENT_SENDS);
    };
  }

  private static boolean isNewMessage(ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.EditText _, ChannelRequest.SetReaction _, ChannelRequest.CloseCard _ ->
          false;
      case ChannelRequest.SendText _, ChannelRequest.SendCard _, ChannelRequest.SendFile _ -> true;
    };
  }

  private void record(OutboundId id, ChannelRequest request, SendResult result) {
    switch (result) {
      case SendResult.Sent(String platformId) ->
          store(id, (tx, message) -> sent(tx, message, request, platformId));
      case SendResult.RetryAfter(Duration delay, String reason) ->
          store(id, (tx, message) -> wait(tx, message, delay, reason));
      case SendResult.Refused(String reason) ->
          store(id, (tx, message) -> end(tx, message, OutboundState.FAILED, reason));
      case SendResult.Unknown(String reason) when isRepeatable(request) ->
          store(id, (tx, message) -> wait(tx, message, Duration.ZERO, reason));
      case SendResult.Unknown(String reason) ->
          store(id, (tx, message) -> end(tx, message, OutboundState.UNKNOWN, reason));
    }
  }

  private void sent(
      Transaction tx, OutboundMessage message, ChannelRequest request, String platformId) {
    tx.chats().put(message.sent(platformId, clock.instant()));
    if (isNewMessage(request)) {
      MessageRef ref = new MessageRef(channel.name(), message.to().chat(), platformId);
      message.run().ifPresent(run -> tx.chats().connect(ref, run, Optional.empty()));
    }
  }

  private void wait(Transaction tx, OutboundMessage message, Duration delay, String reason) {
    Optional<OutboundMessage> newer =
        message
            .slot()
            .flatMap(slot -> tx.chats().newestInSlot(message.to(), slot))
            .filter(newest -> newest.number() > message.number());
    if (newer.isPresent()) {
      tx.chats().put(message.superseded());
    } else if (isTooOld(message)) {
      end(tx, message, OutboundState.FAILED, reason);
    } else {
      tx.chats().put(message.waiting(nextTry(message, delay), reason));
    }
  }

  private Instant nextTry(OutboundMessage message, Duration delay) {
    Duration backOff = settings.retries().pauseAfter(message.tries());
    Instant next = clock.instant().plus(delay.compareTo(backOff) > 0 ? delay : backOff);
    Instant last = message.createdAt().plus(settings.giveUpAfter());
    return next.isAfter(last) ? last : next;
  }

  private boolean isTooOld(OutboundMessage message) {
    return message.age(clock.instant()).compareTo(settings.giveUpAfter()) >= 0;
  }

  private void end(Transaction tx, OutboundMessage message, OutboundState end, String reason) {
    OutboundMessage ended = message.ended(end, reason);
    tx.chats().put(ended);
    unsent.handle(tx, ended);
    LOG.log(
        System.Logger.Level.WARNING,
        "Message {0} to {1} is {2}: {3}",
        message.id(),
        channel.name(),
        end.wire(),
        reason);
  }

  private interface Change {
    void apply(Transaction tx, OutboundMessage message);
  }

  /**
   * Stores the end of a try. Repeats it until the store can write, since the message would else be
   * recovered as interrupted although its result is known.
   */
  private void store(OutboundId id, Change change) {
    RetryDelay retry =
        new RetryDelay(
            LOG,
            STORE_RETRY_INTERVAL,
            "Storing the result of message " + id,
            "The chat waits meanwhile.");
    while (true) {
      try {
        ledger.write(
            Priority.LAZY,
            tx -> {
              tx.chats()
                  .outbound(id)
                  .filter(message -> message.state() == OutboundState.SENDING)
                  .ifPresent(message -> change.apply(tx, message));
              return id;
            });
        return;
      } catch (RuntimeException e) {
        if (!retry.sleepAfter(e)) {
          return;
        }
      }
    }
  }
}
