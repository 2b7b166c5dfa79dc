/**
 * Supervision of one live run: one supervisor thread per run reads its mailbox, delivers steers to
 * the agent and records the evidence of the agent. The choice of the next run is in {@code
 * engine.queue}, the storing of steers, stops and answers is in {@code engine}, and processes and
 * protocols of agents are in the module {@code agents}.
 *
 * <p>The way of one steer, from a request with {@code wait=injected} to its answer:
 *
 * <pre>
 *  #  thread      class and method                          data
 *  1  accept      HttpListener.accept                       connection
 *  2  client      ApiRequestHandler.route, SteerRoutes      SteerRequest
 *  3  client      SteerOperations.submit, AccessControl     SteerRequest, allowed
 *  4  client      SteerService.submit, GroupCommit          WriteTask in the WriteQueue
 *  5  writer      SteerService.intake, SteerIntake.judge    Steer, RunEvent.SteerStored
 *  6  writer      WriteBatch.commit                         durable: rung "stored"
 *  7  writer      SteerService.stored, SupervisorMailbox    SupervisorMessage.SteerStored
 *  8  supervisor  AttemptLoop.process                       Steer in the AttemptUnitOfWork
 *  9  supervisor  AttemptLoop.act, SteerDelivery.deliver    SteerAction.Offer of SteeringPlan
 * 10  supervisor  SteerDelivery.offer, StdioAgent.steer     bytes in the input of the agent
 * 11  supervisor  BoundedCommitter.commit                   SteerChange.Offered
 * 12  writer      AttemptUnitOfWork.requireOwned, commit    durable: rung "offered"
 * 13  watcher     DirectoryWatcher, TailedFile.wake         the output file has grown
 * 14  reader      TailedFile.run, StdioAgent, Protocol      AgentEvent.SteerInjected
 * 15  reader      SupervisorMailbox.offerFromAgent          SupervisorMessage.AgentOutput
 * 16  supervisor  AgentEventHandler.handle                  SteerChange.Injected
 * 17  supervisor  BoundedCommitter.commit                   SteerChange.Injected, checkpoint
 * 18  writer      AttemptUnitOfWork.requireOwned, commit    durable: rung "injected"
 * 19  wake-up     LogSubscribers                            the log has a new entry
 * 20  client      SteerService.await, ApiRequestHandler     Receipt
 * </pre>
 *
 * <p>This way passes 7 threads with 9 hand-overs, and 150 source files: 30 in {@code hub}, 23 in
 * {@code engine}, 30 in {@code ledger}, 25 in {@code agents} and 42 in {@code core}, of which most
 * are values. They were counted with the method trace of the JDK's flight recorder: all classes of
 * the five modules, one steer over the Unix socket with SQLite and the rehearsal agent as a
 * process, from the accepted connection to the answer. A nested class counts for its file; timers
 * and followers of the log, which run at all times, are left out.
 */
@NullMarked
package dev.midcourse.engine.supervise;

import org.jspecify.annotations.NullMarked;
