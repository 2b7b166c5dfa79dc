package dev.midcourse.cli.watch.model;

import java.util.Optional;

/** What the board wants done outside of itself. */
public sealed interface Effect {

  /** To be told something again; asking twice is as good as asking once. */
  sealed interface Load extends Effect {}

  record LoadRuns() implements Load {}

  record LoadRun(String run) implements Load {}

  record LoadStory(String run) implements Load {}

  record LoadInbox(String run) implements Load {}

  record LoadAsks(String run) implements Load {}

  /** To change something; done once and in order. */
  sealed interface Act extends Effect {}

  record Steer(String run, String mode, String text) implements Act {}

  record Stop(String run) implements Act {}

  /** With its old prompt if there is none. */
  record Restart(String run, Optional<String> prompt) implements Act {}

  record Answer(String run, String ask, String answer) implements Act {}

  record Withdraw(String steer) implements Act {}

  record Edit(String steer, String text) implements Act {}

  record Promote(String steer) implements Act {}

  /** To hand the terminal to an editor. */
  record Write(ViewMode.Line line) implements Effect {}

  record Redraw() implements Effect {}

  record Leave() implements Effect {}
}
