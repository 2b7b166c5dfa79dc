package dev.midcourse.proof.chat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A chat platform in memory. It outlives the hubs that connect to it, so that a test sees what
 * really arrived and how often. All methods may be called by any thread.
 */
public final class ScriptedPlatform {
  public static final String BOT = "bot";

  private final Map<String, PlatformMessage> messages = new LinkedHashMap<>();
  private final Map<OutboundId, String> effects = new HashMap<>();
  private final List<Request> requests = new ArrayList<>();
  private final Deque<Planned> faults = new ArrayDeque<>();
  private int lastId;

  /** A request that a channel has made, in the order of arrival. */
  public record Request(OutboundId id, ChannelRequest request) {}

  private record Planned(Predicate<ChannelRequest> which, PlatformFault fault) {}

  /** Plans a fault for the next request. Faults that are planned earlier are used earlier. */
  public void plan(PlatformFault fault) {
    plan(request -> true, fault);
  }

  /** Plans a fault for the next request to this chat. */
  public void plan(String chat, PlatformFault fault) {
    plan(request -> request.to().chat().equals(chat), fault);
  }

  /** Plans a fault for the next request of this kind. */
  public synchronized void plan(Predicate<ChannelRequest> which, PlatformFault fault) {
    faults.add(new Planned(which, fault));
  }

  synchronized Optional<PlatformFault> arrive(OutboundId id, ChannelRequest request) {
    requests.add(new Request(id, request));
    Optional<Planned> planned =
        faults.stream().filter(fault -> fault.which().test(request)).findFirst();
    planned.ifPresent(faults::remove);
    return planned.map(Planned::fault);
  }

  /** Carries a request out; once, if the platform knows requests by their ids. */
  synchronized SendResult carryOut(OutboundId id, ChannelRequest request, boolean once) {
    String known = effects.get(id);
    if (once && known != null) {
      return new SendResult.Sent(known);
    }
    SendResult result = apply(request);
    if (result instanceof SendResult.Sent(String message)) {
      effects.put(id, message);
    }
    return result;
  }

  /** The message that a request has made or changed. */
  synchronized Optional<String> effectOf(OutboundId id) {
    return Optional.ofNullable(effects.get(id));
  }

  private SendResult apply(ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.SendText(var to, String markdown, var replyTo) ->
          add(message(to.chat(), to.thread(), markdown, replyTo, List.of()));
      case ChannelRequest.SendCard(var to, String title, String markdown, var buttons) ->
          add(message(to.chat(), to.thread(), title + "\n" + markdown, Optional.empty(), buttons));
      case ChannelRequest.SendFile(var to, var _, String name, var caption) ->
          add(
              message(
                  to.chat(),
                  to.thread(),
                  caption.map(text -> text + "\n").orElse("") + "[" + name + "]",
                  Optional.empty(),
                  List.of()));
      case ChannelRequest.EditText(var _, String id, String markdown) ->
          change(id, message -> message.withText(markdown));
      case ChannelRequest.CloseCard(var _, String id, String markdown) ->
          change(id, message -> message.withText(markdown).withoutButtons());
      case ChannelRequest.SetReaction(var _, String id, var status) ->
          change(id, message -> message.withReaction(status));
    };
  }

  private PlatformMessage message(
      String chat,
      Optional<String> thread,
      String text,
      Optional<String> replyTo,
      List<Button> buttons) {
    return new PlatformMessage(
        nextId(), chat, thread, BOT, text, replyTo, Optional.empty(), buttons);
  }

  private SendResult add(PlatformMessage message) {
    messages.put(message.id(), message);
    return new SendResult.Sent(message.id());
  }

  private SendResult change(String id, UnaryOperator<PlatformMessage> change) {
    return messages.computeIfPresent(id, (key, message) -> change.apply(message)) == null
        ? new SendResult.Refused("there is no message " + id)
        : new SendResult.Sent(id);
  }

  /** Adds the message of a person and returns it. */
  synchronized PlatformMessage write(
      String author, String chat, Optional<String> thread, String text, Optional<String> replyTo) {
    PlatformMessage message =
        new PlatformMessage(
            nextId(), chat, thread, author, text, replyTo, Optional.empty(), List.of());
    messages.put(message.id(), message);
    return message;
  }

  synchronized void edit(String id, String text) {
    messages.computeIfPresent(id, (key, message) -> message.withText(text));
  }

  private String nextId() {
    return "m" + ++lastId;
  }

  public synchronized Optional<PlatformMessage> message(String id) {
    return Optional.ofNullable(messages.get(id));
  }

  /** The messages of a chat as people see them now, oldest first. */
  public synchronized List<PlatformMessage> messages(String chat) {
    return messages.values().stream().filter(message -> message.chat().equals(chat)).toList();
  }

  /** The texts of the bot in a chat, oldest first. */
  public List<String> texts(String chat) {
    return messages(chat).stream()
        .filter(message -> message.author().equals(BOT))
        .map(PlatformMessage::text)
        .toList();
  }

  /** All requests of all channels in the order of arrival, also those with a fault. */
  public synchronized List<Request> requests() {
    return List.copyOf(requests);
  }
}
