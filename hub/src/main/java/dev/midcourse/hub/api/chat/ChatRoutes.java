package dev.midcourse.hub.api.chat;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.hub.api.chat.ChatRequests.ChatChange;
import dev.midcourse.hub.api.chat.ChatRequests.Decision;
import dev.midcourse.hub.api.chat.ChatRequests.MessageName;
import dev.midcourse.hub.api.chat.ChatRequests.MessageQuery;
import dev.midcourse.hub.api.chat.ChatRequests.NewWiring;
import dev.midcourse.hub.api.chat.ChatRequests.Newest;
import dev.midcourse.hub.api.chat.ChatRequests.OutboxQuery;
import dev.midcourse.hub.api.chat.ChatRequests.WiringChange;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The HTTP routes of chats, wirings, messages, approvals and the outbox. */
public final class ChatRoutes {
  private static final String CHAT = "/api/v1/chats/{chat}";
  private static final String WIRING = "/api/v1/wirings/{wiring}";

  private final ChatOperations chats;
  private final MessageOperations messages;

  public ChatRoutes(ChatOperations chats, MessageOperations messages) {
    this.chats = chats;
    this.messages = messages;
  }

  public List<Route<?, ?>> routes() {
    return Stream.of(chatRoutes(), wiringRoutes(), messageRoutes(), outboxRoutes())
        .<Route<?, ?>>flatMap(List::stream)
        .toList();
  }

  private List<Route<?, ?>> chatRoutes() {
    return List.of(
        Route.get("/api/v1/chats", "The chats that are known, with their wirings.")
            .answers(200, "the chats", ChatExamples.CHATS)
            .by(call -> ApiResponse.ok(new ChatViews.Chats(chats.chats(call.caller())))),
        Route.get(CHAT, "A chat with its wirings.")
            .answers(200, "the chat", ChatExamples.CHAT)
            .by(call -> ApiResponse.ok(chats.chat(call.caller(), call.path("chat")))),
        Route.patch(CHAT, "Name a chat, or set what happens to unknown senders.")
            .takes(ChatChange.class, ChatExamples.CHAT_CHANGE)
            .answers(200, "the chat", ChatExamples.CHAT)
            .by(call ->
                ApiResponse.ok(chats.change(call.caller(), call.path("chat"), call.body()))),
        Route.delete(CHAT, "Delete a chat with its wirings and conversations; messages stay.")
            .answers(200, "the chat as it was", ChatExamples.CHAT)
            .by(call -> ApiResponse.ok(chats.delete(call.caller(), call.path("chat")))),
        Route.get(CHAT + "/messages", "The newest messages of a chat in both directions.")
            .with(MessageQuery.class)
            .answers(200, "the messages, newest first", ChatExamples.CHAT_LOG)
            .by(call ->
                ApiResponse.ok(messages.log(call.caller(), call.path("chat"), call.query()))),
        Route.get("/api/v1/conversations", "The newest conversations.")
            .with(Newest.class)
            .answers(200, "the conversations, newest first", ChatExamples.CONVERSATIONS)
            .by(call ->
                ApiResponse.ok(
                    new ChatViews.Conversations(
                        chats.conversations(call.caller(), call.query().most())))));
  }

  private List<Route<?, ?>> wiringRoutes() {
    return List.of(
        Route.get("/api/v1/wirings", "All wirings: which worker takes the messages of which chat.")
            .answers(200, "the wirings", ChatExamples.WIRINGS)
            .by(call -> ApiResponse.ok(new ChatViews.Wirings(chats.wirings(call.caller())))),
        Route.post("/api/v1/wirings", "Wire a chat to a worker.")
            .takes(NewWiring.class, ChatExamples.NEW_WIRING)
            .answers(201, "the wiring", ChatExamples.WIRING)
            .refuses(Code.DUPLICATE)
            .by(call -> ApiResponse.created(chats.wire(call.caller(), call.body()))),
        Route.patch(WIRING, "Change a wiring.")
            .takes(WiringChange.class, ChatExamples.WIRING_CHANGE)
            .answers(200, "the wiring", ChatExamples.WIRING)
            .by(call ->
                ApiResponse.ok(chats.change(call.caller(), call.path("wiring"), call.body()))),
        Route.delete(WIRING, "Delete a wiring.")
            .answers(200, "the wiring as it was", ChatExamples.WIRING)
            .by(call -> ApiResponse.ok(chats.unwire(call.caller(), call.path("wiring")))));
  }

  private List<Route<?, ?>> messageRoutes() {
    return List.of(
        Route.get("/api/v1/messages", "The newest messages of people.")
            .with(MessageQuery.class)
            .answers(200, "the messages, newest first", ChatExamples.MESSAGES)
            .by(call -> ApiResponse.ok(messages.messages(call.caller(), call.query()))),
        Route.get("/api/v1/why", "Why a message had its effect, and what became of it.")
            .with(MessageName.class)
            .answers(200, "decision, gates, runs, receipts and answers", ChatExamples.WHY)
            .by(call -> ApiResponse.ok(messages.why(call.caller(), call.query().message()))),
        Route.get("/api/v1/approvals", "The senders and chats that wait to be let in.")
            .answers(200, "the approvals, oldest first", ChatExamples.APPROVALS)
            .by(call -> ApiResponse.ok(new ChatViews.Approvals(chats.approvals(call.caller())))),
        Route.post("/api/v1/approvals/{approval}", "Decide an approval.")
            .takes(Decision.class, ChatExamples.DECISION)
            .answers(200, "what was decided", ChatExamples.DECIDED)
            .by(call ->
                ApiResponse.ok(chats.decide(call.caller(), call.path("approval"), call.body()))),
        Route.get("/api/v1/questions", "The questions of agents that wait for an answer in a chat.")
            .answers(200, "the questions, newest first", ChatExamples.QUESTIONS)
            .by(call -> ApiResponse.ok(new ChatViews.Questions(chats.questions(call.caller())))));
  }

  private List<Route<?, ?>> outboxRoutes() {
    return List.of(
        Route.get("/api/v1/outbox", "The messages to people that were not sent, or in any state.")
            .with(OutboxQuery.class)
            .answers(200, "the messages, newest first", ChatExamples.OUTBOX)
            .by(this::outbox),
        Route.post("/api/v1/outbox/{outbound}/dismiss", "Leave a message that was not sent so.")
            .answers(200, "the message", ChatExamples.OUTBOUND)
            .refuses(Code.TOO_LATE)
            .by(call -> ApiResponse.ok(messages.dismiss(call.caller(), call.path("outbound")))),
        Route.post("/api/v1/outbox/{outbound}/retry", "Send a message that was not sent again.")
            .answers(200, "the message", ChatExamples.OUTBOUND)
            .refuses(Code.TOO_LATE)
            .by(call -> ApiResponse.ok(messages.retry(call.caller(), call.path("outbound")))));
  }

  private ApiResponse outbox(ApiCall<Nothing, OutboxQuery> call) {
    Set<OutboundState> states = EnumSet.noneOf(OutboundState.class);
    for (String state : call.query().state().orElse("failed,unknown").split(",", -1)) {
      states.add(OutboundState.parse(state));
    }
    return ApiResponse.ok(
        new ChatViews.Outbox(messages.outbox(call.caller(), states, call.query().most())));
  }
}
