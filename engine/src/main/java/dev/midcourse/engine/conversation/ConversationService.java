package dev.midcourse.engine.conversation;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.inbound.AttachmentPaths;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.route.ChatCommand;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.engine.conversation.loop.LoopReporter;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.engine.schedule.ConversationEntry;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.chat.ChatWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

/**
 * Takes what people write and click in all channels. A message is durable with its effects when
 * {@link #receive} returns; the same update again changes nothing.
 */
public final class ConversationService implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ConversationService.class.getName());

  private final ConversationContext context;
  private final MessageIntake intake;
  private final ApprovalService approvals;
  private final LateCommands lateCommands;
  private final ChatQuestions questions;
  private final ClickHandler clicks;
  private final WaitingMessages waiting;
  private final ConversationReporter reporter;
  private final LoopReporter loops;

  public ConversationService(ConversationContext context) {
    this.context = context;
    this.waiting = new WaitingMessages(context, this::after);
    this.intake = new MessageIntake(context, waiting::at, pending -> approvals().arm(pending));
    this.approvals = new ApprovalService(context, intake);
    this.questions = new ChatQuestions(context);
    this.clicks = new ClickHandler(context, approvals, questions);
    this.loops = new LoopReporter(context.engine(), context.outbox());
    this.lateCommands = new LateCommands(context, approvals, clicks, loops);
    this.reporter = new ConversationReporter(context, waiting::runCanTakeMessages);
  }

  /** Sets the timers that the ledger asks for, and begins to report what runs do. */
  public void start() {
    approvals.armAll();
    waiting.armAll();
    reporter.start();
    loops.start();
    context.attachments().start();
  }

  public ApprovalService approvals() {
    return approvals;
  }

  public ChatQuestions questions() {
    return questions;
  }

  /** Lets the prompts of schedules enter conversations. */
  public ConversationEntry scheduleEntry() {
    return new ScheduledPrompts(context, this::after);
  }

  private void after(CommitEffects effects) {
    intake.after(effects);
  }

  /**
   * Stores a message, an edit or a deletion with its decision and carries the decision out.
   *
   * @throws RefusedException with {@code UNAVAILABLE} if it could not be stored; then the channel
   *     must not acknowledge it
   */
  public void receive(InboundMessage received) {
    InboundMessage message = AttachmentPaths.assign(received);
    try {
      handle(message);
    } catch (RefusedException refused) {
      if (refused.problems().getFirst().code() == Code.UNAVAILABLE) {
        throw refused;
      }
      storeFailed(message, refused);
    } catch (RuntimeException e) {
      storeFailed(message, e);
    }
  }

  private void handle(InboundMessage message) {
    WorkerPlans plans = plans(message);
    Optional<RoutingDecision> made =
        mayNeedOthers(message)
            ? Optional.of(context.ledger().read(r -> intake.decide(r, message, plans)))
                .filter(LateCommands::concerns)
            : Optional.empty();
    List<String> answers =
        made.map(decision -> lateCommands.carryOut(message, decision)).orElse(List.of());
    CommitEffects effects = new CommitEffects();
    context
        .ledger()
        .write(
            Priority.STEER,
            tx -> {
              if (intake.take(tx, message, plans, made, effects)) {
                answer(tx.chats(), message, answers, effects);
              }
              return effects;
            },
            done -> {
              intake.after(done);
              return done;
            });
    if (effects.linked) {
      approvals.settle(message.sender().name());
    }
  }

  private void answer(
      ChatWriter chats, InboundMessage message, List<String> texts, CommitEffects effects) {
    OutboxWriter outbox = new OutboxWriter(chats, context.ids(), context.now());
    for (String text : texts) {
      outbox.text(
          MessageActions.addressOf(message),
          text,
          Optional.of(message.ref().message()),
          Optional.empty());
    }
    effects.channels.addAll(outbox.channels());
  }

  /** Whether the message may ask for something that is not part of its transaction. */
  private static boolean mayNeedOthers(InboundMessage message) {
    return message.kind() != InboundKind.MESSAGE
        || message.replyTo().isPresent()
        || CardChoice.isNumber(message)
        || ChatCommand.parse(message.bareText()).isPresent();
  }

  private WorkerPlans plans(InboundMessage message) {
    List<Wiring> wirings =
        context
            .ledger()
            .read(r ->
                r.chats()
                    .chat(message.ref().channel(), message.ref().chat())
                    .map(Chat::id)
                    .map(chat -> r.chats().wirings(chat))
                    .orElse(List.of()));
    return WorkerPlans.of(context.workers(), wirings);
  }

  private void storeFailed(InboundMessage message, RuntimeException why) {
    LOG.log(
        Level.ERROR,
        "Handling message "
            + message.ref()
            + " failed. It is stored without an effect; its sender is told to send it again.",
        why);
    CommitEffects effects = new CommitEffects();
    context
        .ledger()
        .write(
            Priority.STEER,
            tx -> {
              intake.storeFailed(tx, message);
              String text = context.texts().of(ChatText.INTERNAL_ERROR);
              answer(tx.chats(), message, List.of(text), effects);
              return effects;
            },
            done -> {
              intake.after(done);
              return done;
            });
  }

  /** Takes a click on a button. Returns the text for the person who clicked. */
  public String click(ButtonClick click) {
    return clicks.click(click);
  }

  @Override
  public void close() {
    loops.close();
    reporter.close();
    context.attachments().close();
  }
}
