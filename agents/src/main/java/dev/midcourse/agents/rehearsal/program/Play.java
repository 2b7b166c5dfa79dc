package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Spent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the rehearsal agent does: the steps of its prompt in order, steers taken in at the
 * boundaries between them, each steer and each prompt once. It has no threads and no clock; whoever
 * plays it calls one method at a time and gives it a {@link Stage}.
 *
 * <p>A play restored from its notes goes on where the notes end: a step without its {@code
 * StepDone} is done again, since nobody knows how far it got.
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

  private record Prompt(int turn, String message) {}

  private final Stage stage;
  private final Conversation conversation = new Conversation();
  private final Map<Integer, String> answeredBefore = new HashMap<>(0);
  private final Map<SteerId, String> held = new LinkedHashMap<>(4);
  private final Deque<Prompt> prompts = new ArrayDeque<>(1);
  private final List<Runnable> unheard = new ArrayList<>(0);
  private final Set<Mischief> mischief = EnumSet.noneOf(Mischief.class);
  private Doing doing = Doing.SETTLED;
  private boolean interrupted;
  private int asks;
  private int sleptBefore;
  private long outputTokens;

  public Play(Stage stage) {
    this.stage = stage;
  }

  /** The play as it was when its process died. */
  public static Play restored(Stage stage, List<Note> notes) {
    Play play = new Play(stage);
    for (Note note : notes) {
      var _ = play.conversation.apply(note);
      if (note instanceof Note.Ended(int turn, TurnEnd _, String answer)) {
        play.answeredBefore.put(turn, answer);
      }
    }
    play.conversation.newTokens();
    return play;
  }

  public void begin(String version, SessionId session) {
    stage.tell(new AgentEvent.Started(version, Capabilities.FULL, Optional.of(session)));
  }

  public void prompt(int turn, String message) {
    if (putOff(() -> prompt(turn, message)) || sleepsFirst(turn, message)) {
      return;
    }
    boolean known = conversation.hasOpened(turn);
    stage.tell(new AgentEvent.PromptAccepted(turn, known ? "known" : "held"));
    if (known) {
      repeat(turn);
    } else if (settled()) {
      open(turn, message);
    } else if (!waits(turn)) {
      prompts.add(new Prompt(turn, message));
    }
  }

  public void steer(SteerId steer, String message) {
    if (putOff(() -> steer(steer, message))) {
      return;
    }
    if (mischief.contains(Mischief.DIE_ON_STEER)) {
      exit(137);
    } else if (conversation.hasTaken(steer)) {
      stage.tell(new AgentEvent.SteerAccepted(steer, "known"));
      stage.tell(new AgentEvent.SteerInjected(steer, "in the conversation already"));
    } else if (mischief.contains(Mischief.REFUSE_STEERS)) {
      stage.tell(new AgentEvent.SteerRefused(steer, "it was told to refuse steers"));
    } else if (settled()) {
      stage.tell(new AgentEvent.SteerNotTaken(steer, "no turn is running"));
    } else {
      held.putIfAbsent(steer, message);
      stage.tell(new AgentEvent.SteerAccepted(steer, "held"));
      if (mischief.contains(Mischief.ACK_THEN_DIE)) {
        exit(137);
      }
    }
  }

  /** Breaks the turn off; what the agent holds is kept and opens the next turn. */
  public void interrupt() {
    if (putOff(this::interrupt)) {
      return;
    }
    if (doing == Doing.WAITING_FOR_A_TOOL && !interrupted) {
      interrupted = true;
      stage.endTool(call());
    } else if (doing == Doing.ASKING) {
      stage.tell(new AgentEvent.AskClosed(ask(), "the turn was interrupted"));
      end(TurnEnd.INTERRUPTED);
    }
  }

  public void withdraw(SteerId steer) {
    if (putOff(() -> withdraw(steer))) {
      return;
    }
    held.remove(steer);
    stage.tell(new AgentEvent.SteerGivenBack(steer, !conversation.hasTaken(steer)));
  }

  /** An answer to a question that is not open any more has no effect. */
  public void answer(String ask, boolean allow, String why) {
    if (putOff(() -> answer(ask, allow, why)) || doing != Doing.ASKING || !ask.equals(ask())) {
      return;
    }
    doing = Doing.WORKING;
    stage.tell(new AgentEvent.AskClosed(ask, allow ? "allowed" : "denied: ".concat(why)));
    if (note(new Note.StepDone(allow)).orElse(null) instanceof Step.Shell leftOut) {
      say("Left out, since it was not allowed: ".concat(leftOut.command()));
    }
    advance();
  }

  public void barrier(String name) {
    if (!putOff(() -> barrier(name))) {
      stage.tell(new AgentEvent.BarrierPassed(name));
    }
  }

  /** The polite request to leave. */
  public void quit() {
    if (!mischief.contains(Mischief.IGNORE_TERM) && doing != Doing.GONE) {
      exit(0);
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
    var _ = note(new Note.StepDone(code == 0));
    String how = interrupted ? "interrupted" : "exit status ".concat(Integer.toString(code));
    stage.tell(new AgentEvent.ToolFinished(call, code == 0, how));
    if (interrupted) {
      end(TurnEnd.INTERRUPTED);
    } else {
      tellUsage();
      advance();
    }
  }

  /** The pause is over that the stage was asked for. */
  public void woke() {
    if (doing != Doing.ASLEEP) {
      return;
    }
    doing = Doing.SETTLED;
    List<Runnable> now = List.copyOf(unheard);
    unheard.clear();
    for (Runnable word : now) {
      word.run();
    }
  }

  /** Whether no turn is running. */
  public boolean settled() {
    return doing == Doing.SETTLED;
  }

  // ---- turns

  private void open(int turn, String message) {
    var _ = note(new Note.Opened(turn, message));
    if (turn > 0) {
      stage.tell(new AgentEvent.PromptInjected(turn, "in the conversation"));
    }
    startTurn(turn == 0);
  }

  private void startTurn(boolean byItself) {
    doing = Doing.WORKING;
    stage.tell(new AgentEvent.TurnStarted(byItself));
    advance();
  }

  /** A turn that an earlier process left is gone on with; what it answered is answered again. */
  private void repeat(int turn) {
    Optional<Scene> left = conversation.underWay();
    String answer = answeredBefore.remove(turn);
    boolean goesOn = settled() && left.isPresent() && left.get().turn() == turn;
    stage.tell(new AgentEvent.PromptInjected(turn, "in the conversation already"));
    if (goesOn) {
      startTurn(false);
    } else if (answer != null) {
      stage.tell(new AgentEvent.TurnStarted(false));
      stage.tell(new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "answered before", answer));
    }
  }

  /** The one place where steers come in: between two steps, and before the turn would end. */
  private void advance() {
    while (doing == Doing.WORKING) {
      takeInSteers();
      if (doing == Doing.GONE) {
        return;
      }
      Optional<Step> due = scene().due();
      if (due.isEmpty()) {
        end(TurnEnd.COMPLETED);
        return;
      }
      perform(due.get());
    }
  }

  private void takeInSteers() {
    String where = "before step ".concat(Integer.toString(scene().number()));
    for (Map.Entry<SteerId, String> steer : held.entrySet()) {
      var _ = note(new Note.Took(steer.getKey(), steer.getValue()));
      stage.tell(new AgentEvent.SteerInjected(steer.getKey(), where));
      if (mischief.contains(Mischief.DIE_AFTER_INJECT)) {
        exit(137);
        return;
      }
    }
    held.clear();
  }

  private void end(TurnEnd how) {
    Scene ending = scene();
    String answer = ending.answer(how);
    outputTokens += Script.tokens(answer);
    var _ = note(new Note.Ended(ending.turn(), how, answer));
    interrupted = false;
    doing = Doing.SETTLED;
    tellUsage();
    String reason = how == TurnEnd.INTERRUPTED ? "interrupted" : "";
    stage.tell(new AgentEvent.TurnEnded(how, reason, answer));
    Prompt prompt = held.isEmpty() ? prompts.poll() : null;
    if (!held.isEmpty()) {
      open(0, "");
    } else if (prompt != null) {
      open(prompt.turn(), prompt.message());
    }
  }

  // ---- steps

  private void perform(Step step) {
    switch (step) {
      case Step.Shell(String command, Optional<Duration> timeout) -> {
        outputTokens += Script.tokens(command);
        doing = Doing.WAITING_FOR_A_TOOL;
        var _ = note(new Note.Called(command));
        stage.tell(new AgentEvent.ToolStarted(call(), "shell", clip(command), timeout));
        stage.startTool(call(), command);
      }
      case Step.Permission(String question) -> {
        asks++;
        doing = Doing.ASKING;
        stage.tell(new AgentEvent.Asked(ask(), AskKind.PERMISSION, question, ""));
      }
      case Step.Say(String text) -> {
        var _ = note(new Note.StepDone(true));
        say(text);
      }
      case Step.Misbehave(Mischief how, int count) -> {
        // Over before it begins, so that a restored play does not do it again.
        var _ = note(new Note.StepDone(true));
        misbehave(how, count);
      }
    }
  }

  private void misbehave(Mischief how, int count) {
    mischief.add(how);
    switch (how) {
      case IGNORE_TERM, LEAVE_CHILD, GARBAGE -> stage.misbehave(how);
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
      case SLOW_START, REFUSE_STEERS, ACK_THEN_DIE, DIE_AFTER_INJECT, DIE_ON_STEER -> {}
    }
  }

  private void say(String text) {
    outputTokens += Script.tokens(text);
    stage.tell(new AgentEvent.Said(text));
  }

  private void exit(int code) {
    doing = Doing.GONE;
    stage.exit(code);
  }

  private void tellUsage() {
    long input = conversation.newTokens();
    long microDollars = 3 * input + 15 * outputTokens;
    stage.tell(new AgentEvent.Used(new Spent(input, outputTokens, microDollars)));
    outputTokens = 0;
  }

  // ---- small matters

  private Optional<Step> note(Note note) {
    stage.note(note);
    return conversation.apply(note);
  }

  private Scene scene() {
    return conversation.underWay().orElseThrow();
  }

  /** Whether it does not listen now; then it hears this later, or never. */
  private boolean putOff(Runnable word) {
    if (doing == Doing.ASLEEP) {
      unheard.add(word);
    }
    return doing == Doing.ASLEEP || doing == Doing.GONE;
  }

  private boolean sleepsFirst(int turn, String message) {
    if (!settled() || conversation.hasOpened(turn) || sleptBefore == turn) {
      return false;
    }
    Optional<Duration> pause = Script.parse(message).slowStart();
    if (pause.isPresent()) {
      sleptBefore = turn;
      doing = Doing.ASLEEP;
      unheard.add(() -> prompt(turn, message));
      stage.wakeAfter(pause.get());
    }
    return pause.isPresent();
  }

  private boolean waits(int turn) {
    for (Prompt prompt : prompts) {
      if (prompt.turn() == turn) {
        return true;
      }
    }
    return false;
  }

  private boolean isRunning(String call) {
    return doing == Doing.WAITING_FOR_A_TOOL && call.equals(call());
  }

  private String call() {
    return "call-".concat(Integer.toString(conversation.calls()));
  }

  private String ask() {
    return "ask-".concat(Integer.toString(asks));
  }

  private static String clip(String command) {
    return command.length() <= 200 ? command : command.substring(0, 197).concat("...");
  }
}
