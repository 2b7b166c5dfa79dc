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
 * A worker behind a mailbox. An ack shows that it took a steer, and a word of it after the ack, or
 * {@code injected_at} in it, that it went on with it.
 */
final class ForeignAgent implements Agent {
  private static final System.Logger LOG = System.getLogger(ForeignAgent.class.getName());
  private static final long RESCAN_INTERVAL_MILLIS = 5_000;
  private static final long RETRY_DELAY_MILLIS = 100;

  private final ForeignFiles files;
  private final AgentListener ear;
  private final Semaphore bell = new Semaphore(0);
  private final List<DirectoryWatcher.Registration> registrations = new ArrayList<>();
  private final Thread reader;

  /**
   * What is to be told, in its order. The reader alone tells it, and never while it holds this
   * agent: who listens may wait for us before he listens on.
   */
  private final Queue<AgentEventBatch> untold = new ConcurrentLinkedQueue<>();

  /** Everything below is guarded by this agent. */
  private final ForeignSteers steers;

  /** Results stay until the end: one that a dying hub had read is read again by the next. */
  private final Set<String> told = new HashSet<>();

  private int turn;
  private int ended;
  private int results;
  private boolean working;
  private String phase = "";
  private long heard;
  private boolean over;

  /** Up to where the ledger has what was heard. */
  private volatile long keptTo;

  ForeignAgent(ForeignFiles files, AgentListener ear) {
    this.files = files;
    this.steers = new ForeignSteers(files);
    this.ear = ear;
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
      say(List.of(new AgentEvent.Started(Version.NUMBER, ForeignDriver.CAN, Optional.empty())));
    }
    bell.release();
    reader.start();
  }

  private void listen(
      DirectoryWatcher watch,
      MailboxDirectory folder,
      Predicate<String> written,
      Predicate<String> taken) {
    FolderChangeFilter listener = new FolderChangeFilter(written, taken, bell::release);
    registrations.add(watch.register(folder.path(), listener));
  }

  /** After another hub: what it had heard is not told again, what lies there still is. */
  private synchronized void resume(AgentEventBatch.OutputCheckpoint from) throws IOException {
    heard = from.offset();
    String[] memo = from.memo().isEmpty() ? new String[] {"0", "0"} : from.memo().split(",", -1);
    ended = Integer.parseInt(memo[0]);
    results = Integer.parseInt(memo[1]);
    int newest = files.newestTask();
    turn = newest > ended ? newest : 0;
    files.toldProgress().resume(heard);
    told.addAll(files.results(results));
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
      bell.release();
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
  public WriteResult answer(String ask, QuestionAnswer words) {
    return WriteResult.UNSUPPORTED;
  }

  /** Files stay: what lies there was written, and what does not was taken. */
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

  /** Tells the worker that it is over; a program that is not ours cannot be ended by us. */
  @Override
  public synchronized StopResult end(StopTimeouts timeouts) {
    if (!over) {
      over = true;
      writing(() -> {
        files.writeStop(turn);
        steers.forget();
        for (String file : told) {
          files.progressFolder().delete(file);
        }
        files.toldProgress().forget();
      });
      registrations.forEach(DirectoryWatcher.Registration::close);
      say(List.of(new AgentEvent.Exited(0, "")));
    }
    return new StopResult(0, 0, 0);
  }

  private synchronized boolean isOver() {
    return over;
  }

  /** After the end it still tells of it. */
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

  private static WriteResult writing(Writing work) {
    try {
      work.now();
      return WriteResult.WRITTEN;
    } catch (IOException e) {
      LOG.log(Level.WARNING, "a mailbox cannot be written: {0}", e.getMessage());
      return WriteResult.INPUT_FULL;
    }
  }

  private void runReader() {
    long wait = 0;
    try {
      while (!isOver()) {
        if (wait > 0) {
          bell.tryAcquire(wait, TimeUnit.MILLISECONDS);
        } else {
          bell.acquire();
        }
        bell.drainPermits();
        tell();
        boolean unfinished = looked(this::lookAtAcks);
        tell();
        unfinished |= looked(this::readRemainingFiles);
        tell();
        wait = unfinished ? RETRY_DELAY_MILLIS : RESCAN_INTERVAL_MILLIS;
      }
      tell();
    } catch (InterruptedException end) {
      // Detached.
    }
  }

  private void tell() {
    for (AgentEventBatch next = untold.poll(); next != null; next = untold.poll()) {
      ear.onEvents(next);
    }
  }

  private interface FileCheck {
    boolean now() throws IOException;
  }

  private synchronized boolean looked(FileCheck look) {
    try {
      return !over && look.now();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "a mailbox cannot be read: {0}", e.getMessage());
      return true;
    }
  }

  /** As long as no task was given, nothing that lies there can be told from an answer. */
  private boolean noTaskYet() {
    return turn == 0 && ended == 0;
  }

  /** Whoever steered waits for these; true when one was not finished yet. */
  private boolean lookAtAcks() throws IOException {
    return !noTaskYet() && steers.hearAcks(events -> say(events, true));
  }

  /** Reads everything else that is there; true when something was not finished yet. */
  private boolean readRemainingFiles() throws IOException {
    if (noTaskYet()) {
      return false;
    }
    ForeignMessages.Post progress = files.progress(told);
    List<AgentEvent> events = new ArrayList<>();
    // After the letters were read: what the worker wrote when it had its task is of this turn.
    if (turn > 0 && !working && !files.taskWaits(turn)) {
      began(events);
    }
    List<WorkerMessage> done = new ArrayList<>();
    for (WorkerMessage letter : progress.letters()) {
      if (letter.isResult()) {
        result(letter, events);
      } else {
        word(letter.json(), events);
        done.add(letter);
      }
    }
    files.toldProgress().putBy(done, heard + events.size());
    if (!events.isEmpty()) {
      say(events);
    }
    files.toldProgress().kept(keptTo);
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

  /** What comes when no turn runs is told, and begins none: only a task that is taken does. */
  private void word(ObjectNode letter, List<AgentEvent> events) {
    if (working) {
      events.addAll(steers.onWorkerActivity());
    }
    if (!ProtocolJson.text(letter, "kind").equals("worker_progress")) {
      events.add(new AgentEvent.Garbage(letter.toString(), letter.toString().length()));
      return;
    }
    String named = ProtocolJson.text(letter, "phase");
    if (!named.equals(phase)) {
      phase = named;
      events.add(new AgentEvent.Phase(named));
    }
    String said = ProtocolJson.text(letter, "summary");
    String tool = ProtocolJson.text(letter, "tool_used");
    String call = "progress-" + letter.path("seq").asLong(heard);
    if (!tool.isEmpty()) {
      events.add(new AgentEvent.ToolStarted(call, tool, said, Optional.empty()));
      events.add(new AgentEvent.ToolFinished(call, true, ""));
    } else if (!said.isBlank()) {
      events.add(new AgentEvent.Said(said));
    }
  }

  private void result(WorkerMessage letter, List<AgentEvent> events) {
    if (working) {
      told.add(letter.file());
      events.addAll(steers.onWorkerActivity());
      turnEnded(letter.json(), events);
    } else {
      String why = turn == 0 ? "no turn runs" : "the task of turn " + turn + " was not taken";
      files.aside(files.progressFolder(), letter.file(), "it ends a turn, and " + why);
    }
  }

  private void turnEnded(ObjectNode letter, List<AgentEvent> events) {
    session(letter).ifPresent(session -> events.add(new AgentEvent.SessionNamed(session)));
    steers.takeBackUnread().forEach(steer -> events.add(notTaken(steer)));
    boolean good = !ProtocolJson.text(letter, "status").equals("error");
    events.add(
        new AgentEvent.TurnEnded(
            good ? TurnEnd.COMPLETED : TurnEnd.ERROR,
            ProtocolJson.text(letter, "error"),
            ProtocolJson.text(letter, "result")));
    ended = turn;
    results++;
    turn = 0;
    working = false;
  }

  private static Optional<SessionId> session(ObjectNode letter) {
    try {
      String name = ProtocolJson.text(letter, "session_id");
      return name.isEmpty() ? Optional.empty() : Optional.of(SessionId.of(name));
    } catch (RefusedException notAnId) {
      return Optional.empty();
    }
  }

  private void say(List<AgentEvent> events) {
    say(events, false);
  }

  private void say(List<AgentEvent> events, boolean awaited) {
    heard += events.size();
    steers.toldTo(heard);
    untold.add(
        new AgentEventBatch(
            events, new AgentEventBatch.OutputCheckpoint(heard, ended + "," + results), awaited));
    if (!Thread.currentThread().equals(reader)) {
      bell.release();
    }
  }
}
