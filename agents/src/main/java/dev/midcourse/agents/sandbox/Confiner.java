package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes of the command of a program one that runs it confined. What cannot be made to hold on this
 * system is refused; a program never runs with less around it than was asked for.
 */
public final class Confiner {
  private final SystemPrograms programs;

  Confiner(SystemPrograms programs) {
    this.programs = programs;
  }

  public static Confiner ofThisSystem() {
    return new Confiner(SystemPrograms.ofThisSystem());
  }

  /**
   * The command as it is to be started.
   *
   * @param home the program's own home folder
   * @param workspace where it works
   */
  public List<String> confined(
      Confinement confinement, Path home, Path workspace, List<String> command)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(Ceilings.of(confinement, programs));
    switch (confinement.sandbox()) {
      case Sandbox.None() -> {}
      case Sandbox.Bubblewrap settings ->
          words.addAll(Bubblewrap.find(programs).around(home, workspace, settings));
    }
    words.addAll(command);
    return words;
  }
}
