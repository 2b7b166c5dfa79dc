package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The behaviour of the rehearsal agent. It performs the steps of its prompt in order and takes
 * steers at the boundaries between steps. A mindful agent takes each steer and each prompt once.
 * The class has no threads and no clock. The caller must call one method at a time and must provide
 * a {@link Stage}.
 *
 * <p>A play that is restored from its notes continues at the end of the notes. A step without its
 * {@code StepDone} is repeated, because its progress is unknown.
 */
public final class Play {

  private enum Doing {
    SETTLED,
    WORKING,
    WAITING_FOR_A_TOOL,
    ASKING,
    ASLEEP,
    GONE
  }

  private final Stage stage;
  private final DuplicatePolicy duplicates;
  private final Meter meter = new Meter();
  private final RehearsalSession session;
  private final List<RehearsalCommand.Steer> held = new ArrayList<>(4);
  private final List<RehearsalCommand.Prompt> prompts = new ArrayList<>(2);
  private final List<RehearsalCommand> pending = new ArrayList<>(0);
  private final Set<Misbehaviour> mischief = EnumSet.noneOf(Misbehaviour.class);
  private Doing doing = Doing.SETTLED;
  private boolean interrupted;
  private int asks;
  private int sleptBefore;

  private Play(DuplicatePolicy duplicates, Stage stage) {
    this.duplicates = duplicates;
    this.stage = stage;
    this.session = new RehearsalSession(duplicates, meter);
  }

  /** Returns the play at the state of its notes. Without notes the play is new. */
  public static Play from(List<RehearsalEvent> notes, DuplicatePolicy duplicates, Stage stage) {
    Play play = new Play(duplicates, stage);
    for (RehearsalEvent note : notes) {
      var _ = play.session.apply(note);
    }
    play.session.restored();
    var _ = play.meter.take();
    return play;
  }

  public void begin(String version, SessionId session) {
    stage.tell(new AgentEvent.Started(version, duplicates.can(), Optional.of(session)));
  }

  public void receive(RehearsalCommand word) {
    switch (doing) {
      case GONE -> {}
      case ASLEEP -> pending.add(word);
      case SETTLED, WORKING, WAITING_FOR_A_TOOL, ASKING -> understand(word);
    }
  }

  public void toolOutput(String call, String line) {
    if (isRunning(call)) {
      stage.tell(new AgentEvent.ToolOutput(call, line));
    }
  }

  public void toolFinished(String call, int code) {
    if (!isRunning(call)) {
      return;
    }
    doing = Doing.WORKING;
    var _ = note(new RehearsalEvent.StepDone(code == 0));
    String how = interrupted ? "interrupted" : "exit status ".concat(Integer.toString(code));
    stage.tell(new AgentEvent.ToolFinished(call, code == 0, how));
    if (interrupted) {
      end(TurnEnd.INTERRUPTED);
    } else {
      stage.tell(new AgentEvent.Used(meter.take()));
      advance();
    }
  }

  /** Continues after the pause that the play requested by {@link Stage#wakeAfter}. */
  public void woke() {
    if (doing == Doing.ASLEEP) {
      doing = Doing.SETTLED;
      List<RehearsalCommand> now = List.copyOf(pending);
      pending.clear();
      for (RehearsalCommand word : now) {
        receive(word);
      }
    }
  }

  /** Stops the play. It performs, reports and reads nothing any more. */
  public void stopPlaying() {
    doing = Doing.GONE;
  }

  public boolean ignoresTerm() {
    return mischief.contains(Misbehaviour.IGNORE_TERM);
  }

  // ---- commands

  private void understand(RehearsalCommand word) {
    switch (word) {
      case RehearsalCommand.Prompt prompt -> prompt(prompt);
      case RehearsalCommand.Steer(SteerId id, String message) -> steer(id, message);
      case RehearsalCommand.Interrupt() -> interrupt();
      case RehearsalCommand.Withdraw(SteerId id) -> {
        giveBack(id);
      }
      case RehearsalCommand.Answer answer -> answer(answer);
      case RehearsalCommand.Barrier(String name) -> stage.tell(new AgentEvent.BarrierPassed(name));
      case RehearsalCommand.Quit() -> {
        if (!ignoresTerm()) {
          exit(0);
        }
      }
    }
  }

  private void prompt(RehearsalCommand.Prompt prompt) {
    int turn = prompt.turn();
    if (sleepsFirst(prompt)) {
      return;
    }
    boolean known =
        duplicates == DuplicatePolicy.MINDFUL && session.hasOpened(turn, prompt.message());
    stage.tell(new AgentEvent.PromptAccepted(turn, known ? "known" : "held"));
    if (known) {
      repeat(turn);
    } else if (doing == Doing.SETTLED) {
      open(prompt);
    } else if (duplicates == DuplicatePolicy.FORGETFUL || !waits(turn)) {
      prompts.add(prompt);
    }
  }

  private boolean waits(int turn) {
    for (RehearsalCommand.Prompt prompt : prompts) {
      if (prompt.turn() == turn) {
        return true;
      }
    }
    return false;
  }

  private void steer(SteerId id, String message) {
    if (mischief.contains(Misbehaviour.DIE_ON_STEER)) {
      exit(137);
    } else if (duplicates == DuplicatePolicy.MINDFUL && session.hasTaken(id)) {
      stage.tell(new AgentEvent.SteerAccepted(id, "known"));
      stage.tell(new AgentEvent.SteerInjected(id, "in the session already"));
    } else if (mischief.contains(Misbehaviour.REFUSE_STEERS)) {
      var _ = note(new RehearsalEvent.LetGo(id));
      stage.tell(new AgentEvent.SteerRefused(id, "it was told to refuse steers"));
    } else if (doing == Doing.SETTLED) {
      var _ = note(new RehearsalEvent.LetGo(id));
      stage.tell(new AgentEvent.SteerNotTaken(id, "no turn is running"));
    } else {
      if (duplicates == DuplicatePolicy.FORGETFUL || !holds(id)) {
        held.add(new RehearsalCommand.Steer(id, message));
      }
      stage.tell(new AgentEvent.SteerAccepted(id, "held"));
      if (mischief.contains(Misbehaviour.ACK_THEN_DIE)) {
        exit(137);
      }
    }
  }

  private boolean holds(SteerId id) {
    for (RehearsalCommand.Steer steer : held) {
      if (steer.id().equals(id)) {
        return true;
      }
    }
    return false;
  }

  private boolean isInPrompt(SteerId id) {
    for (RehearsalCommand.Prompt prompt : prompts) {
      for (Script.Part part : Script.parse(prompt.message()).parts()) {
        if (part.steer().equals(Optional.of(id))) {
          return true;
        }
      }
    }
    return false;
  }

  private void giveBack(SteerId id) {
    for (int i = held.size() - 1; i >= 0; i--) {
      if (held.get(i).id().equals(id)) {
        held.remove(i);
      }
    }
    boolean free = !session.hasTaken(id) && !isInPrompt(id);
    if (free) {
      var _ = note(new RehearsalEvent.LetGo(id));
    }
    stage.tell(new AgentEvent.SteerGivenBack(id, free));
  }

  private void interrupt() {
    if (doing == Doing.WAITING_FOR_A_TOOL && !interrupted) {
      interrupted = true;
      stage.endTool(call());
    } else if (doing == Doing.ASKING) {
      stage.tell(new AgentEvent.AskClosed(ask(), "the turn was interrupted"));
      end(TurnEnd.INTERRUPTED);
    }
  }

  private void answer(RehearsalCommand.Answer answer) {
    if (doing != Doing.ASKING || !answer.ask().equals(ask())) {
      return;
    }
    doing = Doing.WORKING;
    String how = answer.allow() ? "allowed" : "denied: ".concat(answer.why());
    stage.tell(new AgentEvent.AskClosed(ask(), how));
    Optional<ScriptStep> leftOut = note(new RehearsalEvent.StepDone(answer.allow()));
    if (leftOut.orElse(null) instanceof ScriptStep.Shell shell) {
      say("Skipped (permission denied): ".concat(shell.command()));
    }
    advance();
  }

  /**
   * Delays the first prompt with a slow start. The prompt and all later commands are handled after
   * the pause.
   */
  private boolean sleepsFirst(RehearsalCommand.Prompt prompt) {
    if (doing != Doing.SETTLED || sleptBefore == prompt.turn()) {
      return false;
    }
    Optional<Duration> pause = Script.parse(prompt.message()).slowStart();
    if (pause.isPresent()) {
      sleptBefore = prompt.turn();
      doing = Doing.ASLEEP;
      pending.add(prompt);
      stage.wakeAfter(pause.get());
    }
    return pause.isPresent();
  }

  // ---- turns

  private void open(RehearsalCommand.Prompt prompt) {
    var _ = note(new RehearsalEvent.Opened(prompt.turn(), prompt.message()));
    stage.tell(new AgentEvent.PromptInjected(prompt.turn(), "in the session"));
    startTurn(false);
  }

  private void openByItself() {
    var _ = note(new RehearsalEvent.Opened(0, ""));
    startTurn(true);
  }

  private void startTurn(boolean byItself) {
    doing = Doing.WORKING;
    stage.tell(new AgentEvent.TurnStarted(byItself));
    advance();
  }

  /**
   * Continues a turn that an earlier process left unfinished, or repeats the answer of a finished
   * turn.
   */
  private void repeat(int turn) {
    stage.tell(new AgentEvent.PromptInjected(turn, "in the session already"));
    if (doing != Doing.SETTLED) {
      return;
    }
    Optional<Scene> left = session.underWay();
    Optional<String> answer = session.answeredBefore(turn);
    if (left.isPresent() && left.get().turn() == turn) {
      startTurn(false);
    } else if (answer.isPresent()) {
      stage.tell(new AgentEvent.TurnStarted(false));
      stage.tell(new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "answered before", answer.get()));
    }
  }

  /**
   * Performs the steps of the turn. This is the only place that takes steers: between two steps,
   * and before the turn would end.
   */
  private void advance() {
    while (doing == Doing.WORKING) {
      takeInSteers();
      if (doing == Doing.GONE) {
        return;
      }
      Optional<ScriptStep> due = scene().due();
      if (due.isEmpty()) {
        end(TurnEnd.COMPLETED);
        return;
      }
      perform(due.get());
    }
  }

  private void takeInSteers() {
    String where = "before step ".concat(Integer.toString(scene().number()));
    for (RehearsalCommand.Steer steer : held) {
      var _ = note(new RehearsalEvent.Took(steer.id(), steer.message()));
      stage.tell(new AgentEvent.SteerInjected(steer.id(), where));
      if (mischief.contains(Misbehaviour.DIE_AFTER_INJECT)) {
        exit(137);
        return;
      }
    }
    held.clear();
  }

  private void end(TurnEnd how) {
    int turn = scene().turn();
    String answer = session.answer(how);
    var _ = note(new RehearsalEvent.Ended(turn, how, answer));
    interrupted = false;
    doing = Doing.SETTLED;
    meter.said(answer);
    stage.tell(new AgentEvent.Used(meter.take()));
    String reason = how == TurnEnd.INTERRUPTED ? "interrupted" : "";
    stage.tell(new AgentEvent.TurnEnded(how, reason, answer));
    if (!held.isEmpty()) {
      openByItself();
    } else if (!prompts.isEmpty()) {
      open(prompts.removeFirst());
    }
  }

  // ---- steps

  private void perform(ScriptStep step) {
    switch (step) {
      case ScriptStep.Shell(String command, Optional<Duration> timeout) -> {
        meter.said(command);
        doing = Doing.WAITING_FOR_A_TOOL;
        var _ = note(new RehearsalEvent.Called(command));
        stage.tell(new AgentEvent.ToolStarted(call(), "shell", clip(command), timeout));
        stage.startTool(call(), command);
      }
      case ScriptStep.Permission(String question) -> {
        asks++;
        doing = Doing.ASKING;
        stage.tell(new AgentEvent.Asked(ask(), AskKind.PERMISSION, question, ""));
      }
      case ScriptStep.Say(String text) -> {
        var _ = note(new RehearsalEvent.StepDone(true));
        say(text);
      }
      case ScriptStep.Misbehave(Misbehaviour how, int count) -> {
        // Recorded before it is performed, so that a restored play does not repeat it.
        var _ = note(new RehearsalEvent.StepDone(true));
        misbehave(how, count);
      }
    }
  }

  private void misbehave(Misbehaviour how, int count) {
    mischief.add(how);
    switch (how) {
      case LEAVE_CHILD, GARBAGE -> stage.misbehave(how);
      case EXIT_WITHOUT_ANSWER -> exit(0);
      case HANG -> {
        doing = Doing.ASLEEP;
        stage.misbehave(how);
      }
      case FLOOD -> {
        for (int i = 1; i <= count; i++) {
          say("flood ".concat(Integer.toString(i)));
        }
      }
      case IGNORE_TERM,
          SLOW_START,
          REFUSE_STEERS,
          ACK_THEN_DIE,
          DIE_AFTER_INJECT,
          DIE_ON_STEER -> {}
    }
  }

  private void say(String text) {
    meter.said(text);
    stage.tell(new AgentEvent.Said(text));
  }

  private void exit(int code) {
    doing = Doing.GONE;
    stage.exit(code);
  }

  // ---- shared methods

  private Optional<ScriptStep> note(RehearsalEvent note) {
    stage.note(note);
    return session.apply(note);
  }

  private Scene scene() {
    return session.underWay().orElseThrow();
  }

  private boolean isRunning(String call) {
    return doing == Doing.WAITING_FOR_A_TOOL && call.equals(call());
  }

  private String call() {
    return "call-".concat(Integer.toString(session.calls()));
  }

  private String ask() {
    return "ask-".concat(Integer.toString(asks));
  }

  private static String clip(String command) {
    return command.length() <= 200 ? command : command.substring(0, 197).concat("...");
  }
}
