package dev.midcourse.engine.conversation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerIntake.IntakeDecision;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.engine.schedule.ConversationEntry;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lets the prompts of schedules enter conversations: as a follow-up of the live run, or as a run
 * that continues the session. The answer goes where the last answer of the conversation went.
 */
final class ScheduledPrompts implements ConversationEntry {
  private final ConversationContext context;
  private final Consumer<CommitEffects> after;

  ScheduledPrompts(ConversationContext context, Consumer<CommitEffects> after) {
    this.context = context;
    this.after = after;
  }

  @Override
  public PreparedEntry prepare(ScheduleTarget.OfConversation target) {
    WorkerPlans plans = WorkerPlans.of(context.workers(), List.of(), Optional.of(target.worker()));
    CommitEffects effects = new CommitEffects();
    return new PreparedEntry() {
      @Override
      public Optional<RunId> enter(Transaction tx, String prompt, Author author, Instant now) {
        Conversation conversation =
            tx.chats()
                .conversation(target.conversation())
                .orElseThrow(() -> unknown(target.conversation()));
        return Optional.of(new Entry(tx, conversation, plans, effects, now).enter(prompt, author));
      }

      @Override
      public void committed() {
        after.accept(effects);
      }
    };
  }

  /** The entry of one prompt in one transaction. */
  private final class Entry {
    private final Transaction tx;
    private final Conversation conversation;
    private final WorkerPlans plans;
    private final CommitEffects effects;
    private final Instant now;

    Entry(
        Transaction tx,
        Conversation conversation,
        WorkerPlans plans,
        CommitEffects effects,
        Instant now) {
      this.tx = tx;
      this.conversation = conversation;
      this.plans = plans;
      this.effects = effects;
      this.now = now;
    }

    RunId enter(String prompt, Author author) {
      Optional<Run> newest = conversation.newestRun().flatMap(tx::run);
      Optional<Run> live = newest.filter(run -> run.state().live() && !run.stopAsked());
      return live.isPresent() ? steer(live.get(), prompt, author) : start(newest, prompt, author);
    }

    private RunId steer(Run live, String prompt, Author author) {
      SteerRequest request = SteerRequest.steer(prompt).withMode(SteerMode.FOLLOW_UP);
      switch (context.steering().store(tx, live.id(), author, request, now)) {
        case IntakeDecision.Store(var steer, var _) -> effects.steers.add(steer);
        case IntakeDecision.Repeat _ -> {}
        case IntakeDecision.Refuse(Problem problem) -> throw problem.refused();
      }
      return live.id();
    }

    private RunId start(Optional<Run> newest, String prompt, Author author) {
      ConversationRuns runs = new ConversationRuns(context, tx, plans, effects, now);
      Run run =
          runs.start(
              conversation,
              newest,
              new ConversationRuns.Opening(
                  prompt,
                  prompt,
                  author,
                  new RunAddress(conversation.id(), address(), Optional.empty())));
      effects.queued = true;
      return run.id();
    }

    private ChatAddress address() {
      ChatReader chats = tx.chats();
      return conversation
          .newestRun()
          .flatMap(chats::addressOf)
          .map(RunAddress::to)
          .or(() -> conversation.key().chat().flatMap(chats::chat).map(this::addressIn))
          .orElseThrow(() -> unknown(conversation.id()));
    }

    private ChatAddress addressIn(Chat chat) {
      return new ChatAddress(chat.channel(), chat.platformId(), conversation.key().thread());
    }
  }

  private static RuntimeException unknown(ConversationId id) {
    return Problem.of(
            Code.NOT_FOUND,
            "conversation",
            "a conversation with a chat",
            "conversation " + id + " is not known, or has no chat to answer in")
        .refused();
  }
}
