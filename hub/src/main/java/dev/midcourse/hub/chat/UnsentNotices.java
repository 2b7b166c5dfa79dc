package dev.midcourse.hub.chat;

import dev.midcourse.channels.outbox.UnsentHandler;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.ledger.Transaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Tells the agent of a run that a message of it was not sent or not delivered, as news for its next
 * turn. The news opens no turn, so an agent and a broken channel cannot keep each other busy.
 * People see the message in {@code midcourse next}, because it stays in the outbox as failed or
 * unknown.
 */
final class UnsentNotices implements UnsentHandler {
  private static final Logger LOG = System.getLogger(UnsentNotices.class.getName());

  private final Engine engine;
  private final Timers timers;

  UnsentNotices(Engine engine, Timers timers) {
    this.engine = engine;
    this.timers = timers;
  }

  /** The steer is stored after this transaction, by its own: a supervisor has to get it. */
  @Override
  public void handle(Transaction tx, OutboundMessage message) {
    LOG.log(
        Level.WARNING,
        "Message {0} to {1}:{2} {3}. midcourse next lists it.",
        message.id(),
        message.to().channel(),
        message.to().chat(),
        whatHappened(message));
    Optional<RunId> live =
        message.run().filter(run -> tx.run(run).filter(it -> it.state().live()).isPresent());
    if (live.isPresent() && isOfAgent(message.content())) {
      timers.at(
          "unsent:" + message.id(),
          engine.context().clock().instant(),
          () -> tell(live.get(), message));
    }
  }

  private static boolean isOfAgent(OutboundContent content) {
    return content instanceof OutboundContent.Text
        || content instanceof OutboundContent.File
        || content instanceof OutboundContent.Card;
  }

  private static String whatHappened(OutboundMessage message) {
    String reason = message.problem().orElse("no reason is known");
    return message.isUndelivered()
        ? "was taken by the platform, but " + reason
        : "was not sent (" + message.state().wire() + "): " + reason;
  }

  private void tell(RunId run, OutboundMessage message) {
    String text =
        "Your message to "
            + message.to().channel()
            + ":"
            + message.to().chat()
            + " "
            + whatHappened(message);
    try {
      engine
          .steering()
          .submit(
              run,
              Author.news(),
              SteerRequest.steer(text)
                  .withMode(SteerMode.NEXT)
                  .withKey(IdempotencyKey.of("unsent-" + message.id())));
    } catch (RefusedException ended) {
      LOG.log(Level.DEBUG, "Run {0} has ended before it could be told.", run);
    }
  }
}
