package dev.midcourse.proof.crash.hub;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The processes of a drill's runs, found by their environment. */
public record DrillProcesses(String runsBeginWith) {

  /** Kills one of the agents, if there is one. */
  public boolean killOne(Random random) {
    List<ProcessHandle> agents = alive().stream().filter(DrillProcesses::isAgent).toList();
    return !agents.isEmpty() && agents.get(random.nextInt(agents.size())).destroyForcibly();
  }

  public List<ProcessHandle> alive() {
    List<ProcessHandle> found = new ArrayList<>();
    ProcessHandle.allProcesses().filter(this::ours).forEach(found::add);
    return found;
  }

  private boolean ours(ProcessHandle process) {
    return environment(process)
        .filter(variables -> variables.contains("\0MIDCOURSE_RUN=" + runsBeginWith))
        .isPresent();
  }

  private static boolean isAgent(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("java")).isPresent();
  }

  private static Optional<String> environment(ProcessHandle process) {
    try {
      Path environ = Path.of("/proc", Long.toString(process.pid()), "environ");
      return Optional.of("\0" + new String(Files.readAllBytes(environ), StandardCharsets.UTF_8));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
