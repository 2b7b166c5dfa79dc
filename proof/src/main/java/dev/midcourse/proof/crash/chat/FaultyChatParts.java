package dev.midcourse.proof.crash.chat;

import static dev.midcourse.proof.crash.chat.ChatFaultPoint.AFTER_ANSWER_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.AFTER_APPROVAL_IS_DECIDED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.AFTER_DEBOUNCE_ENDS;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.AFTER_MESSAGE_IS_SENT;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.AFTER_MESSAGE_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.AFTER_SENT_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.BEFORE_CLICK_IS_ACKNOWLEDGED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.BEFORE_CLICK_IS_DECIDED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.BEFORE_MESSAGE_IS_ACKNOWLEDGED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.BEFORE_MESSAGE_IS_DECIDED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.BEFORE_MESSAGE_IS_SENT;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.DURING_DEBOUNCE;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_ACK_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_ANSWER_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_APPROVAL_IS_DECIDED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_APPROVAL_IS_REQUESTED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_DEBOUNCE_ENDS;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_MESSAGE_IS_DECIDED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_MESSAGE_IS_REPLAYED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_MESSAGE_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_RUN_IS_SUBMITTED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_SENDING_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_SENT_IS_STORED;
import static dev.midcourse.proof.crash.chat.ChatFaultPoint.WHILE_STEER_IS_SUBMITTED;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import dev.midcourse.proof.crash.hub.Fault;
import dev.midcourse.proof.crash.hub.ObservedProxy;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Wraps the ledger, the channels, their listener and the timers of a hub that must end at a fault
 * point. The points are in the wrappers; the product contains none.
 */
record FaultyChatParts(Fault<ChatFaultPoint> fault) {

  Ledger ledger(Ledger ledger) {
    return ObservedProxy.of(Ledger.class, ledger, new LedgerPoints());
  }

  /** The channel as the outbox has it. */
  Channel channel(Channel channel) {
    return ObservedProxy.of(
        Channel.class, channel, around("send", BEFORE_MESSAGE_IS_SENT, AFTER_MESSAGE_IS_SENT));
  }

  ChannelListener listener(ChannelListener listener) {
    ChannelListener messages =
        ObservedProxy.of(
            ChannelListener.class,
            listener,
            around("receive", BEFORE_MESSAGE_IS_DECIDED, BEFORE_MESSAGE_IS_ACKNOWLEDGED));
    return ObservedProxy.of(
        ChannelListener.class,
        messages,
        around("click", BEFORE_CLICK_IS_DECIDED, BEFORE_CLICK_IS_ACKNOWLEDGED));
  }

  Timers timers(Timers timers) {
    return ObservedProxy.of(
        Timers.class,
        timers,
        new ObservedProxy.CallObserver() {
          private final ThreadLocal<Boolean> isDebounce = ThreadLocal.withInitial(() -> false);

          @Override
          public void before(String method, Object[] given) {
            isDebounce.set(
                method.equals("at") && given[0] instanceof String s && s.startsWith("debounce:"));
          }

          @Override
          public Object after(String method, Object result) {
            if (isDebounce.get()) {
              fault.at(DURING_DEBOUNCE);
            }
            return result;
          }
        });
  }

  private ObservedProxy.CallObserver around(
      String call, ChatFaultPoint before, ChatFaultPoint after) {
    return new ObservedProxy.CallObserver() {
      @Override
      public void before(String method, Object[] given) {
        if (method.equals(call)) {
          fault.at(before);
        }
      }

      @Override
      public Object after(String method, Object result) {
        if (method.equals(call)) {
          fault.at(after);
        }
        return result;
      }
    };
  }

  /**
   * Fault points of the ledger. A transaction is identified by its writes, so the points are in it
   * and behind its commit.
   */
  private final class LedgerPoints implements ObservedProxy.CallObserver {
    /** The points behind the commit of a write whose caller goes on when it returns. */
    private final ThreadLocal<Set<ChatFaultPoint>> behind =
        ThreadLocal.withInitial(() -> EnumSet.noneOf(ChatFaultPoint.class));

    @Override
    public void before(String method, Object[] given) {
      Set<ChatFaultPoint> mine = EnumSet.noneOf(ChatFaultPoint.class);
      boolean hasOnCommit = false;
      for (int i = 0; i < given.length; i++) {
        if (given[i] instanceof Ledger.TransactionBody<?> work) {
          given[i] = observed(work, mine);
        } else if (method.equals("write") && given[i] instanceof Function<?, ?> onCommit) {
          given[i] = behind(onCommit, mine);
          hasOnCommit = true;
        }
      }
      behind.set(
          method.equals("write") && !hasOnCommit ? mine : EnumSet.noneOf(ChatFaultPoint.class));
    }

    private <T> Ledger.TransactionBody<T> observed(
        Ledger.TransactionBody<T> work, Set<ChatFaultPoint> mine) {
      return tx -> work.in(ObservedProxy.of(Transaction.class, tx, new TransactionPoints(mine)));
    }

    private <T, R> Function<T, R> behind(Function<T, R> onCommit, Set<ChatFaultPoint> mine) {
      return result -> {
        mine.forEach(fault::at);
        return onCommit.apply(result);
      };
    }

    @Override
    public Object after(String method, Object result) {
      behind.get().forEach(fault::at);
      behind.remove();
      return result;
    }
  }

  private final class TransactionPoints implements ObservedProxy.CallObserver {
    private final ChatPoints chats;

    TransactionPoints(Set<ChatFaultPoint> behind) {
      this.chats = new ChatPoints(behind);
    }

    @Override
    public Object after(String method, Object result) {
      return result instanceof ChatWriter writer
          ? ObservedProxy.of(ChatWriter.class, writer, chats)
          : result;
    }
  }

  private final class ChatPoints implements ObservedProxy.CallObserver {
    private final Set<ChatFaultPoint> behind;

    ChatPoints(Set<ChatFaultPoint> behind) {
      this.behind = behind;
    }

    @Override
    public void before(String method, Object[] given) {
      switch (method) {
        case "isSeen" -> fault.at(WHILE_MESSAGE_IS_DECIDED);
        case "putRun" -> fault.at(WHILE_RUN_IS_SUBMITTED);
        case "connect" -> {
          if (given[2] instanceof Optional<?> steer && steer.isPresent()) {
            fault.at(WHILE_STEER_IS_SUBMITTED);
          }
        }
        case "takeContext" -> {
          behind.add(AFTER_DEBOUNCE_ENDS);
          fault.at(WHILE_DEBOUNCE_ENDS);
        }
        case "decide" -> {
          behind.add(AFTER_APPROVAL_IS_DECIDED);
          fault.at(WHILE_APPROVAL_IS_DECIDED);
        }
        case "replaceDecision" -> fault.at(WHILE_MESSAGE_IS_REPLAYED);
        case "put" -> {
          switch (given[0]) {
            case PendingApproval _ -> fault.at(WHILE_APPROVAL_IS_REQUESTED);
            case OutboundMessage message -> put(message);
            default -> {}
          }
        }
        default -> {}
      }
    }

    private void put(OutboundMessage message) {
      if (message.state() == OutboundState.SENDING) {
        fault.at(WHILE_SENDING_IS_STORED);
      } else if (message.state() == OutboundState.SENT) {
        behind.add(AFTER_SENT_IS_STORED);
        fault.at(WHILE_SENT_IS_STORED);
      } else if (message.state() == OutboundState.QUEUED && message.tries() == 0) {
        if (message.content() instanceof OutboundContent.Reaction) {
          fault.at(WHILE_ACK_IS_STORED);
        } else if (message.content() instanceof OutboundContent.Text && message.run().isPresent()) {
          behind.add(AFTER_ANSWER_IS_STORED);
          fault.at(WHILE_ANSWER_IS_STORED);
        }
      }
    }

    @Override
    public Object after(String method, Object result) {
      if (method.equals("store")) {
        behind.add(AFTER_MESSAGE_IS_STORED);
        fault.at(WHILE_MESSAGE_IS_STORED);
      }
      return result;
    }
  }
}
