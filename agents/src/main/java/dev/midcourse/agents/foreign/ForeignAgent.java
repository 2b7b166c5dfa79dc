package dev.midcourse.agents.foreign;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.foreign.ForeignMessages.WorkerMessage;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Version;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * A worker that communicates through a mailbox. The ack of a steer proves that the worker accepted
 * the steer. A message of the worker after the ack, or {@code injected_at} in the ack, proves that
 * the worker used the steer.
 */
final class ForeignAgent implements Agent {
  private static final System.Logger LOG = System.getLogger(ForeignAgent.class.getName());
  private static final long RESCAN_INTERVAL_MILLIS = 5_000;
  private static final long RETRY_DELAY_MILLIS = 100;

  private final ForeignFiles files;
  private final AgentListener listener;
  private final Semaphore signal = new Semaphore(0);
  private final List<DirectoryWatcher.Registration> registrations = new ArrayList<>();
  private final Thread reader;

  /**
   * The batches that are not reported yet, in order. Only the reader reports them, and never while
   * it holds the lock of this agent, because the listener may wait for this agent.
   */
  private final Queue<AgentEventBatch> unreported = new ConcurrentLinkedQueue<>();

  /** This agent's lock guards this field and all fields below it, except {@link #keptTo}. */
  private final ForeignSteers steers;

  /**
   * The result files that were reported. They stay until the end, so that the next hub can read
   * them again.
   */
  private final Set<String> reported = new HashSet<>();

  private int turn;
  private int ended;
  private int results;
  private boolean working;
  private String phase = "";
  private long reportedEvents;
  private boolean over;

  /** The offset up to which the ledger has stored the events. */
  private volatile long keptTo;

  ForeignAgent(ForeignFiles files, AgentListener listener) {
    this.files = files;
    this.steers = new ForeignSteers(files);
    this.listener = listener;
    this.reader = Thread.ofVirtual().name("foreign").unstarted(this::runReader);
  }

  void begin(DirectoryWatcher watch, Optional<AgentEventBatch.OutputCheckpoint> from)
      throws IOException {
    listen(watch, files.progressFolder(), MailboxDirectory::isWhole, _ -> false);
    listen(watch, files.steerFolder(), files::isAck, files::isSteer);
    listen(watch, files.inputFolder(), _ -> false, files::isTask);
    if (from.isPresent()) {
      resume(from.get());
    } else {
      files.begin();
      say(
          List.of(
              new AgentEvent.Started(
                  Version.NUMBER, ForeignDriver.CAPABILITIES, Optional.empty())));
    }
    signal.release();
    reader.start();
  }

  private void listen(
      DirectoryWatcher watch,
      MailboxDirectory folder,
      Predicate<String> written,
      Predicate<String> taken) {
    FolderChangeFilter listener = new FolderChangeFilter(written, taken, signal::release);
    registrations.add(watch.register(folder.path(), listener));
  }

  /**
   * Restores the state after another hub. Stored events are not reported again; files that are
   * still there are.
   */
  private synchronized void resume(AgentEventBatch.OutputCheckpoint from) throws IOException {
    reportedEvents = from.offset();
    String[] memo = from.memo().isEmpty() ? new String[] {"0", "0"} : from.memo().split(",", -1);
    ended = Integer.parseInt(memo[0]);
    results = Integer.parseInt(memo[1]);
    int newest = files.newestTask();
    turn = newest > ended ? newest : 0;
    files.unconfirmedProgress().resume(reportedEvents);
    reported.addAll(files.results(results));
    steers.resume();
  }

  @Override
  public long pid() {
    return 0;
  }

  @Override
  public synchronized WriteResult prompt(int number, String message) {
    return writing(() -> {
      turn = number;
      working = false;
      files.writeTask(number, message);
      signal.release();
    });
  }

  @Override
  public synchronized WriteResult steer(SteerId steer, String message) {
    return writing(() -> {
      if (steers.knows(steer)) {
        return;
      }
      if (turn == 0) {
        say(List.of(notTaken(steer)));
      } else {
        steers.add(steer, message);
      }
    });
  }

  private static AgentEvent notTaken(SteerId steer) {
    return new AgentEvent.SteerNotTaken(steer, "the worker ended its turn without it");
  }

  @Override
  public synchronized WriteResult withdraw(SteerId steer) {
    return writing(
        () -> say(List.of(new AgentEvent.SteerGivenBack(steer, steers.takeBack(steer)))));
  }

  @Override
  public WriteResult interrupt() {
    return WriteResult.UNSUPPORTED;
  }

  @Override
  public WriteResult answer(String ask, AskAnswer words) {
    return WriteResult.UNSUPPORTED;
  }

  /**
   * Files are a lasting record: an existing file was written, and a missing file was taken by the
   * worker.
   */
  @Override
  public synchronized WriteResult barrier(String name) {
    return writing(() -> {
      lookAtAcks();
      readRemainingFiles();
      say(List.of(new AgentEvent.BarrierPassed(name)));
    });
  }

  @Override
  public void keptTo(long offset) {
    keptTo = offset;
  }

  /**
   * Tells the worker that the attempt is over. Midcourse cannot end a program that it did not
   * start.
   */
  @Override
  public synchronized StopResult end(StopTimeouts timeouts) {
    if (!over) {
      over = true;
      writing(() -> {
        files.writeStop(turn);
        steers.forget();
        for (String file : reported) {
          files.progressFolder().delete(file);
        }
        files.unconfirmedProgress().forget();
      });
      registrations.forEach(DirectoryWatcher.Registration::close);
      say(List.of(new AgentEvent.Exited(0, "")));
    }
    return new StopResult(0, 0, 0);
  }

  private synchronized boolean isOver() {
    return over;
  }

  /** After the end, the reader still reports {@code Exited}. */
  @Override
  public void detach() {
    registrations.forEach(DirectoryWatcher.Registration::close);
    if (!isOver()) {
      reader.interrupt();
    }
  }

  private interface Writing {
    void now() throws IOException;
  }

  private WriteResult writing(Writing work) {
    try {
      work.now();
      return WriteResult.WRITTEN;
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "The mailbox of run {0} cannot be written ({1}); the message is written later.",
          files.run(),
          e.getMessage());
      return WriteResult.INPUT_FULL;
    }
  }

  private void runReader() {
    long wait = 0;
    try {
      while (!isOver()) {
        if (wait > 0) {
          signal.tryAcquire(wait, TimeUnit.MILLISECONDS);
        } else {
          signal.acquire();
        }
        signal.drainPermits();
        tell();
        boolean unfinished = looked(this::lookAtAcks);
        tell();
        unfinished |= looked(this::readRemainingFiles);
        tell();
        wait = unfinished ? RETRY_DELAY_MILLIS : RESCAN_INTERVAL_MILLIS;
      }
      tell();
    } catch (InterruptedException end) {
      // The agent was detached.
    }
  }

  private void tell() {
    for (AgentEventBatch next = unreported.poll(); next != null; next = unreported.poll()) {
      listener.onEvents(next);
    }
  }

  private interface FileCheck {
    boolean now() throws IOException;
  }

  private synchronized boolean looked(FileCheck look) {
    try {
      return !over && look.now();
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "The mailbox of run {0} cannot be read ({1}); it is read again.",
          files.run(),
          e.getMessage());
      return true;
    }
  }

  /** Before the first task is written, no file can be recognized as an answer to a task. */
  private boolean noTaskYet() {
    return turn == 0 && ended == 0;
  }

  /** Reads the acks, which a client waits for. Returns true if an ack was incomplete. */
  private boolean lookAtAcks() throws IOException {
    return !noTaskYet() && steers.readAcks(events -> say(events, true));
  }

  /** Reads all other files. Returns true if a file was incomplete. */
  private boolean readRemainingFiles() throws IOException {
    if (noTaskYet()) {
      return false;
    }
    ForeignMessages.MessageBatch progress = files.progress(reported);
    List<AgentEvent> events = new ArrayList<>();
    // After the messages were read, because messages that the worker wrote after it took the task
    // belong to this turn.
    if (turn > 0 && !working && !files.taskWaits(turn)) {
      began(events);
    }
    List<WorkerMessage> done = new ArrayList<>();
    for (WorkerMessage message : progress.messages()) {
      if (message.isResult()) {
        result(message, events);
      } else {
        word(message.json(), events);
        done.add(message);
      }
    }
    files.unconfirmedProgress().putBy(done, reportedEvents + events.size());
    if (!events.isEmpty()) {
      say(events);
    }
    files.unconfirmedProgress().kept(keptTo);
    steers.forgetAcks(keptTo);
    boolean lingers = steers.writePending();
    return progress.unfinished() || lingers;
  }

  private void began(List<AgentEvent> events) {
    working = true;
    String evidence = "the worker took the file";
    events.add(new AgentEvent.PromptAccepted(turn, evidence));
    events.add(new AgentEvent.PromptInjected(turn, evidence));
    events.add(new AgentEvent.TurnStarted(false));
  }

  /**
   * Reports a message of the worker. Outside of a turn, the message is reported too and starts no
   * turn; only a taken task starts a turn.
   */
  private void word(ObjectNode message, List<AgentEvent> events) {
    if (working) {
      events.addAll(steers.onWorkerActivity());
    }
    if (!ProtocolJson.text(message, "kind").equals("worker_progress")) {
      events.add(new AgentEvent.Garbage(message.toString(), message.toString().length()));
      return;
    }
    String named = ProtocolJson.text(message, "phase");
    if (!named.equals(phase)) {
      phase = named;
      events.add(new AgentEvent.Phase(named));
    }
    String said = ProtocolJson.text(message, "summary");
    String tool = ProtocolJson.text(message, "tool_used");
    String call = "progress-" + message.path("seq").asLong(reportedEvents);
    if (!tool.isEmpty()) {
      events.add(new AgentEvent.ToolStarted(call, tool, said, Optional.empty()));
      events.add(new AgentEvent.ToolFinished(call, true, ""));
    } else if (!said.isBlank()) {
      events.add(new AgentEvent.Said(said));
    }
  }

  private void result(WorkerMessage message, List<AgentEvent> events) {
    if (working) {
      reported.add(message.file());
      events.addAll(steers.onWorkerActivity());
      turnEnded(message.json(), events);
    } else {
      String why = turn == 0 ? "no turn runs" : "the task of turn " + turn + " was not taken";
      files.aside(files.progressFolder(), message.file(), "it ends a turn, and " + why);
    }
  }

  private void turnEnded(ObjectNode message, List<AgentEvent> events) {
    session(message).ifPresent(session -> events.add(new AgentEvent.SessionNamed(session)));
    steers.takeBackUnread().forEach(steer -> events.add(notTaken(steer)));
    boolean good = !ProtocolJson.text(message, "status").equals("error");
    events.add(
        new AgentEvent.TurnEnded(
            good ? TurnEnd.COMPLETED : TurnEnd.ERROR,
            ProtocolJson.text(message, "error"),
            ProtocolJson.text(message, "result")));
    ended = turn;
    results++;
    turn = 0;
    working = false;
  }

  private static Optional<SessionId> session(ObjectNode message) {
    try {
      String name = ProtocolJson.text(message, "session_id");
      return name.isEmpty() ? Optional.empty() : Optional.of(SessionId.of(name));
    } catch (RefusedException notAnId) {
      return Optional.empty();
    }
  }

  private void say(List<AgentEvent> events) {
    say(events, false);
  }

  private void say(List<AgentEvent> events, boolean awaited) {
    reportedEvents += events.size();
    steers.reportedTo(reportedEvents);
    unreported.add(
        new AgentEventBatch(
            events,
            new AgentEventBatch.OutputCheckpoint(reportedEvents, ended + "," + results),
            awaited));
    if (!Thread.currentThread().equals(reader)) {
      signal.release();
    }
  }
}
