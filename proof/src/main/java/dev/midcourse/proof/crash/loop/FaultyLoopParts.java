package dev.midcourse.proof.crash.loop;

import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_BASE_IS_MOVED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_BRANCH_IS_MADE;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_GUIDANCE_IS_STORED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_MERGE_IS_MADE;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_MERGE_IS_TESTED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_QUEUE_IS_STORED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_RESULT_IS_READ;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_RUN_IS_QUEUED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.AFTER_STEP_IS_STORED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.BEFORE_GUIDANCE_IS_GIVEN;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.BEFORE_RUN_IS_QUEUED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.WHILE_GUIDANCE_IS_STORED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.WHILE_QUEUE_IS_STORED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.WHILE_RUN_IS_QUEUED;
import static dev.midcourse.proof.crash.loop.LoopFaultPoint.WHILE_STEP_IS_STORED;

import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.loop.LoopWriter;
import dev.midcourse.proof.crash.hub.Fault;
import dev.midcourse.proof.crash.hub.ObservedProxy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Wraps the ledger of a hub with loops that must end at a fault point. An act is known by the
 * method from which its result is stored; the product contains no fault points.
 */
record FaultyLoopParts(Fault<LoopFaultPoint> fault) {
  private static final String ACTOR = "dev.midcourse.autopilot.LoopActor";
  private static final String QUEUE_ACTOR = "dev.midcourse.autopilot.MergeQueueActor";
  private static final String RUNS = "dev.midcourse.autopilot.LoopRuns";
  private static final String SERVICE = "dev.midcourse.autopilot.LoopService";

  /** A method of the product, checked by name, so that a new name fails the drill at once. */
  private record Caller(String type, String method) {
    Caller {
      try {
        boolean there =
            Arrays.stream(Class.forName(type).getDeclaredMethods())
                .anyMatch(it -> it.getName().equals(method));
        if (!there) {
          throw new IllegalStateException(type + " has no method " + method);
        }
      } catch (ClassNotFoundException renamed) {
        throw new IllegalStateException(renamed);
      }
    }

    boolean isOnStack() {
      return StackWalker.getInstance()
          .walk(frames ->
              frames.anyMatch(frame ->
                  frame.getClassName().equals(type) && frame.getMethodName().equals(method)));
    }
  }

  private static final Caller PREPARE = new Caller(ACTOR, "prepare");
  private static final Caller TAKE_END = new Caller(ACTOR, "takeEnd");
  private static final Caller REPORT = new Caller(ACTOR, "report");
  private static final Caller START = new Caller(RUNS, "start");
  private static final Caller GIVE = new Caller(RUNS, "give");
  private static final Caller APPLY = new Caller(SERVICE, "apply");
  private static final Caller MERGE = new Caller(QUEUE_ACTOR, "merge");
  private static final Caller TAKE_RESULT = new Caller(QUEUE_ACTOR, "takeResult");
  private static final Caller LAND = new Caller(QUEUE_ACTOR, "land");

  Ledger ledger(Ledger ledger) {
    return ObservedProxy.of(Ledger.class, ledger, new LedgerPoints());
  }

  private final class LedgerPoints implements ObservedProxy.CallObserver {
    private final ThreadLocal<Set<LoopFaultPoint>> behind =
        ThreadLocal.withInitial(() -> EnumSet.noneOf(LoopFaultPoint.class));

    @Override
    public void before(String method, Object[] given) {
      if (!method.startsWith("write")) {
        return;
      }
      if (START.isOnStack()) {
        fault.at(BEFORE_RUN_IS_QUEUED);
      } else if (GIVE.isOnStack()) {
        fault.at(BEFORE_GUIDANCE_IS_GIVEN);
      } else if (PREPARE.isOnStack() && REPORT.isOnStack()) {
        fault.at(AFTER_BRANCH_IS_MADE);
      } else if (TAKE_END.isOnStack() && REPORT.isOnStack()) {
        fault.at(AFTER_RESULT_IS_READ);
      } else if (MERGE.isOnStack()) {
        fault.at(AFTER_MERGE_IS_MADE);
      } else if (TAKE_RESULT.isOnStack()) {
        fault.at(AFTER_MERGE_IS_TESTED);
      } else if (LAND.isOnStack()) {
        fault.at(AFTER_BASE_IS_MOVED);
      }
      Set<LoopFaultPoint> mine = EnumSet.noneOf(LoopFaultPoint.class);
      behind.set(mine);
      boolean byPerson = APPLY.isOnStack();
      boolean byStart = START.isOnStack();
      for (int i = 0; i < given.length; i++) {
        if (given[i] instanceof Ledger.TransactionBody<?> work) {
          given[i] = observed(work, new TxPoints(mine, byPerson, byStart));
        }
      }
    }

    private <T> Ledger.TransactionBody<T> observed(
        Ledger.TransactionBody<T> work, TxPoints points) {
      return tx -> work.in(ObservedProxy.of(Transaction.class, tx, points));
    }

    @Override
    public Object after(String method, Object result) {
      if (method.startsWith("write")) {
        Set<LoopFaultPoint> mine = EnumSet.copyOf(behind.get());
        behind.remove();
        mine.forEach(fault::at);
      }
      return result;
    }
  }

  /** The points in one transaction, and those that its commit leads to. */
  private final class TxPoints implements ObservedProxy.CallObserver {
    private final Set<LoopFaultPoint> behind;
    private final boolean byPerson;
    private final boolean byStart;

    TxPoints(Set<LoopFaultPoint> behind, boolean byPerson, boolean byStart) {
      this.behind = behind;
      this.byPerson = byPerson;
      this.byStart = byStart;
    }

    @Override
    public void before(String method, Object[] given) {
      if (method.equals("put") && byStart) {
        behind.add(AFTER_RUN_IS_QUEUED);
        fault.at(WHILE_RUN_IS_QUEUED);
      }
    }

    @Override
    public Object after(String method, Object result) {
      return result instanceof LoopWriter loops
          ? ObservedProxy.of(LoopWriter.class, loops, new LoopPoints())
          : result;
    }

    private final class LoopPoints implements ObservedProxy.CallObserver {
      @Override
      public void before(String method, Object[] given) {
        if (!method.equals("put")) {
          return;
        }
        if (given[0] instanceof MergeQueue) {
          behind.add(AFTER_QUEUE_IS_STORED);
          fault.at(WHILE_QUEUE_IS_STORED);
        } else if (given[0] instanceof Loop) {
          behind.add(byPerson ? AFTER_GUIDANCE_IS_STORED : AFTER_STEP_IS_STORED);
          fault.at(byPerson ? WHILE_GUIDANCE_IS_STORED : WHILE_STEP_IS_STORED);
        }
      }
    }
  }
}
