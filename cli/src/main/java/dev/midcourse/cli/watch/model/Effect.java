package dev.midcourse.cli.watch.model;

import dev.midcourse.core.run.AskAnswer;
import java.util.Optional;

/** A request of the model to the outside. */
public sealed interface Effect {

  /** Loads data. A repeated load has the same result as one. */
  sealed interface Load extends Effect {}

  record LoadRuns() implements Load {}

  record LoadRun(String run) implements Load {}

  record LoadStory(String run) implements Load {}

  record LoadInbox(String run) implements Load {}

  record LoadAsks(String run) implements Load {}

  record LoadApprovals() implements Load {}

  record LoadLoops() implements Load {}

  /** Changes the state of the hub. Executed once and in order. */
  sealed interface Act extends Effect {}

  record Steer(String run, String mode, String text) implements Act {}

  record Stop(String run) implements Act {}

  /** Dismisses the alarm of a run. */
  record Dismiss(String run) implements Act {}

  /** Restarts a run; without a prompt, with its old one. */
  record Restart(String run, Optional<String> prompt) implements Act {}

  record Answer(String run, String ask, AskAnswer answer) implements Act {}

  record Withdraw(String steer) implements Act {}

  record Edit(String steer, String text) implements Act {}

  record Promote(String steer) implements Act {}

  /** Decides an approval; with a worker, which the chat is wired to. */
  record Decide(String approval, String decision, Optional<String> worker) implements Act {}

  record SteerLoop(String loop, String scope, String text) implements Act {}

  /** An order without further words: go, skip, pause, stop or land. */
  record OrderLoop(String loop, String order) implements Act {}

  record GoOn(String loop, int moreFixes) implements Act {}

  record RewordLoop(String loop, String prompt) implements Act {}

  record DecideFinding(String loop, String finding, String decision, String why) implements Act {}

  /** Opens a link in a browser; shows it if there is none. */
  record OpenLink(String url) implements Act {}

  /** Opens an editor on the terminal. */
  record Write(ViewMode.Line line) implements Effect {}

  record Redraw() implements Effect {}

  record Leave() implements Effect {}
}
