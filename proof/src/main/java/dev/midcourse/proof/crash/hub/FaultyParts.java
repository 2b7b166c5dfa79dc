package dev.midcourse.proof.crash.hub;

import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_AGENT_IS_ENDED;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_AGENT_IS_FOUND;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_AGENT_IS_STARTED;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_BARRIER_IS_WRITTEN;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_IDLE_IS_STORED;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_INTERRUPT_IS_WRITTEN;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_OPENING_IS_WRITTEN;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_RUNG_IS_KEPT;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_STEER_IS_STORED;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_STEER_IS_WRITTEN;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_STOPPED_AGENT_IS_ENDED;
import static dev.midcourse.proof.crash.hub.FaultPoint.AFTER_STOP_IS_ASKED;
import static dev.midcourse.proof.crash.hub.FaultPoint.BEFORE_AGENT_IS_ENDED;
import static dev.midcourse.proof.crash.hub.FaultPoint.BEFORE_INTERRUPT_IS_WRITTEN;
import static dev.midcourse.proof.crash.hub.FaultPoint.BEFORE_OPENING_IS_WRITTEN;
import static dev.midcourse.proof.crash.hub.FaultPoint.BEFORE_STEER_IS_STORED;
import static dev.midcourse.proof.crash.hub.FaultPoint.BEFORE_STEER_IS_WRITTEN;
import static dev.midcourse.proof.crash.hub.FaultPoint.BEFORE_STOPPED_AGENT_IS_ENDED;
import static dev.midcourse.proof.crash.hub.FaultPoint.ON_AGENT_EVENTS;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_IDLE_IS_STORED;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_RUNG_IS_KEPT;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_RUN_IS_ENDED;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_STEER_IS_CARRIED;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_STEER_IS_ENDED;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_STEER_IS_STORED;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_STOP_IS_ASKED;
import static dev.midcourse.proof.crash.hub.FaultPoint.WHILE_TURN_IS_OPENED;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.Driver;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.engine.SteerService;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Wraps the ledger and the driver of a hub that must end at a fault point. The points are in the
 * wrappers; the product contains none.
 */
record FaultyParts(Fault<FaultPoint> fault) {
  /** The method that ends the agent of a stopped run. */
  private static final Method STOP =
      declared("dev.midcourse.engine.supervise.AttemptTermination", "stop");

  Ledger ledger(Ledger ledger) {
    return ObservedProxy.of(Ledger.class, ledger, new LedgerPoints());
  }

  Driver driver(Driver driver) {
    return ObservedProxy.of(Driver.class, driver, new DriverPoints());
  }

  private static boolean calledFrom(String type, Predicate<String> method) {
    return StackWalker.getInstance()
        .walk(frames ->
            frames.anyMatch(
                frame -> frame.getClassName().equals(type) && method.test(frame.getMethodName())));
  }

  /**
   * Returns a method of a class that is not public. Fails when the class or the method is renamed.
   */
  private static Method declared(String type, String method) {
    try {
      return Class.forName(type).getDeclaredMethod(method);
    } catch (ReflectiveOperationException renamed) {
      throw new ExceptionInInitializerError(renamed);
    }
  }

  /**
   * Fault points of the ledger. A unit of work is identified by its writes, so the points are in
   * the transaction and after it.
   */
  private final class LedgerPoints implements ObservedProxy.CallObserver {
    private final ThreadLocal<Set<FaultPoint>> behind =
        ThreadLocal.withInitial(() -> EnumSet.noneOf(FaultPoint.class));

    @Override
    public void before(String method, Object[] given) {
      if (method.startsWith("write")) {
        if (calledFrom(SteerService.class.getName(), _ -> true)) {
          fault.at(BEFORE_STEER_IS_STORED);
        }
        for (int i = 0; i < given.length; i++) {
          if (given[i] instanceof Ledger.TransactionBody<?> work) {
            given[i] = observed(work);
          }
        }
      }
    }

    private <T> Ledger.TransactionBody<T> observed(Ledger.TransactionBody<T> work) {
      Set<FaultPoint> mine = EnumSet.noneOf(FaultPoint.class);
      behind.set(mine);
      return tx -> work.in(ObservedProxy.of(Transaction.class, tx, new TxPoints(mine)));
    }

    @Override
    public Object after(String method, Object result) {
      if (!method.startsWith("write")) {
        return result;
      }
      Set<FaultPoint> mine = behind.get();
      return switch (result) {
        case CompletableFuture<?> later ->
            later.whenComplete((_, failure) -> {
              if (failure == null) {
                mine.forEach(fault::at);
              }
            });
        default -> {
          mine.forEach(fault::at);
          yield result;
        }
      };
    }
  }

  private final class TxPoints implements ObservedProxy.CallObserver {
    private final Set<FaultPoint> behind;

    TxPoints(Set<FaultPoint> behind) {
      this.behind = behind;
    }

    @Override
    public void before(String method, Object[] given) {
      if (method.equals("append")) {
        written((RunEvent) given[2]);
      } else if (method.equals("put") && given[0] instanceof TurnRecord turn && !turn.taken()) {
        fault.at(WHILE_TURN_IS_OPENED);
      }
    }

    private void written(RunEvent event) {
      switch (event) {
        case RunEvent.SteerStored _ -> {
          behind.add(AFTER_STEER_IS_STORED);
          fault.at(WHILE_STEER_IS_STORED);
        }
        case RunEvent.SteerRaised _ -> {
          behind.add(AFTER_RUNG_IS_KEPT);
          fault.at(WHILE_RUNG_IS_KEPT);
        }
        case RunEvent.SteerCarried _ -> fault.at(WHILE_STEER_IS_CARRIED);
        case RunEvent.SteerEnded _ -> fault.at(WHILE_STEER_IS_ENDED);
        case RunEvent.Idle _ -> {
          behind.add(AFTER_IDLE_IS_STORED);
          fault.at(WHILE_IDLE_IS_STORED);
        }
        case RunEvent.RunEnded _ -> fault.at(WHILE_RUN_IS_ENDED);
        case RunEvent.StopAsked _ -> {
          behind.add(AFTER_STOP_IS_ASKED);
          fault.at(WHILE_STOP_IS_ASKED);
        }
        default -> {}
      }
    }
  }

  private final class DriverPoints implements ObservedProxy.CallObserver {
    @Override
    public void before(String method, Object[] given) {
      for (int i = 0; i < given.length; i++) {
        if (given[i] instanceof AgentListener listener) {
          given[i] =
              (AgentListener)
                  batch -> {
                    fault.at(ON_AGENT_EVENTS);
                    listener.onEvents(batch);
                  };
        }
      }
    }

    @Override
    public Object after(String method, Object result) {
      if (!(result instanceof Agent agent)) {
        return result;
      }
      fault.at(method.equals("start") ? AFTER_AGENT_IS_STARTED : AFTER_AGENT_IS_FOUND);
      return ObservedProxy.of(Agent.class, agent, new AgentPoints());
    }
  }

  private final class AgentPoints implements ObservedProxy.CallObserver {
    @Override
    public void before(String method, Object[] given) {
      switch (method) {
        case "steer" -> fault.at(BEFORE_STEER_IS_WRITTEN);
        case "prompt" -> fault.at(BEFORE_OPENING_IS_WRITTEN);
        case "interrupt" -> fault.at(BEFORE_INTERRUPT_IS_WRITTEN);
        case "end" -> fault.at(isStop() ? BEFORE_STOPPED_AGENT_IS_ENDED : BEFORE_AGENT_IS_ENDED);
        default -> {}
      }
    }

    @Override
    public Object after(String method, Object result) {
      switch (method) {
        case "steer" -> fault.at(AFTER_STEER_IS_WRITTEN);
        case "prompt" -> fault.at(AFTER_OPENING_IS_WRITTEN);
        case "interrupt" -> fault.at(AFTER_INTERRUPT_IS_WRITTEN);
        case "end" -> fault.at(isStop() ? AFTER_STOPPED_AGENT_IS_ENDED : AFTER_AGENT_IS_ENDED);
        case "barrier" -> fault.at(AFTER_BARRIER_IS_WRITTEN);
        default -> {}
      }
      return result;
    }

    private boolean isStop() {
      return calledFrom(STOP.getDeclaringClass().getName(), STOP.getName()::equals);
    }
  }
}
