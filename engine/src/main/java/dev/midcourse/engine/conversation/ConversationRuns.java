package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.prompt.ChatPrompts;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.RunService;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlan;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import dev.midcourse.ledger.chat.ChatWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Starts the runs of conversations, as part of a transaction. */
final class ConversationRuns {
  private final ConversationContext context;
  private final Transaction tx;
  private final ChatWriter chats;
  private final WorkerPlans plans;
  private final CommitEffects effects;
  private final Instant now;

  ConversationRuns(
      ConversationContext context,
      Transaction tx,
      WorkerPlans plans,
      CommitEffects effects,
      Instant now) {
    this.context = context;
    this.tx = tx;
    this.chats = tx.chats();
    this.plans = plans;
    this.effects = effects;
    this.now = now;
  }

  /**
   * Queues a run that the messages open. The newest of the messages that wait as context come
   * first; all of them wait no longer.
   *
   * @param continued the ended run whose session the run continues
   * @param messages at least one; the answer of the run replies to the last
   */
  Run start(
      Conversation conversation,
      Optional<Run> continued,
      List<RoutedMessage> messages,
      ChatAddress to) {
    InboundMessage last = messages.getLast().message();
    List<RoutedMessage> whole = withContext(conversation, messages);
    String text = ChatPrompts.messages(whole, context.zoneOf(chats, last.sender()));
    Run run =
        start(
            conversation,
            continued,
            new Opening(
                text,
                last.bareText(),
                ConversationContext.author(last.sender()),
                new RunAddress(conversation.id(), to, Optional.of(last.ref().message()))));
    effects.addFiles(run, whole);
    for (RoutedMessage message : messages) {
      chats.connect(message.message().ref(), run.id(), Optional.empty());
    }
    return run;
  }

  /**
   * What opens a run.
   *
   * @param text the text for the agent
   * @param title the words from which the id of the run is made
   */
  record Opening(String text, String title, Author author, RunAddress address) {}

  /** Queues a run with this opening. */
  Run start(Conversation conversation, Optional<Run> continued, Opening opening) {
    WorkerPlan plan = plans.require(conversation.key().worker());
    Optional<Run> resumed =
        continued.filter(run ->
            !run.state().live()
                && run.session().isPresent()
                && run.spec().agent().equals(plan.agent())
                && RunService.canResume(tx, run.id()));
    RunSpec spec =
        new RunSpec(
            (resumed.isEmpty() ? ChatPrompts.INSTRUCTIONS + "\n" : "") + opening.text(),
            plan.agent(),
            plan.worker(),
            workspace(conversation, plan, resumed),
            opening.author(),
            plan.pending(),
            plan.maxAttempts(),
            resumed.flatMap(Run::session),
            continued.map(Run::id),
            Optional.empty(),
            context.settings().linger());
    Run run = context.runs().queue(tx, freshId(opening.title()), spec, now);
    chats.putRun(run.id(), opening.address());
    chats.put(
        new Conversation(
            conversation.id(),
            conversation.key(),
            Optional.of(run.id()),
            conversation.sticky(),
            conversation.createdAt()));
    return run;
  }

  /** The messages behind the newest ones that wait as context, at most as many as a prompt has. */
  List<RoutedMessage> withContext(Conversation conversation, List<RoutedMessage> messages) {
    int most = context.settings().maxMessagesPerPrompt();
    long newest = messages.getLast().number();
    List<RoutedMessage> waiting =
        messages.size() >= most
            ? List.of()
            : chats.accumulated(conversation.id(), most - messages.size());
    chats.forgetContext(conversation.id(), newest);
    return Stream.concat(waiting.stream(), messages.stream())
        .sorted(
            Comparator.comparing((RoutedMessage it) -> it.message().sentAt())
                .thenComparingLong(RoutedMessage::number))
        .toList();
  }

  /** A session can be resumed only in the folder in which it began. */
  private String workspace(Conversation conversation, WorkerPlan plan, Optional<Run> resumed) {
    return resumed
        .map(run -> run.spec().workspace())
        .orElseGet(() ->
            plan.folder()
                .map(Path::toString)
                .orElseGet(() ->
                    context.engine().settings().conversationFolder(conversation.id()).toString()));
  }

  private RunId freshId(String text) {
    RunId drawn = context.ids().run(text);
    while (tx.run(drawn).isPresent()) {
      drawn = context.ids().run(text);
    }
    return drawn;
  }
}
