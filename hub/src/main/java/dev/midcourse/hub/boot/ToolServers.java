package dev.midcourse.hub.boot;

import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.sandbox.Sandbox;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The program that offers the tools of a hub to its agents: {@code midcourse mcp}. */
public final class ToolServers {
  private static final String LAUNCHER = "midcourse.launcher";
  private static final String MAIN = "dev.midcourse.cli.Main";
  private static final String COMMAND = "mcp";

  private ToolServers() {}

  /**
   * Returns the launcher of this installation with the data folder of this hub. In a process that
   * the launcher did not start, it is a JVM with the class path of the process; empty if that has
   * no command line.
   */
  public static Optional<ToolServer> ofThisInstallation(Path data) {
    String java = System.getProperty("java.home");
    String launcher = System.getProperty(LAUNCHER, "");
    if (!launcher.isEmpty()) {
      return Optional.of(
          new ToolServer(
              launcher,
              List.of(COMMAND),
              Map.of("MIDCOURSE_HOME", data.toString(), "JAVA_HOME", java)));
    }
    String file = MAIN.replace('.', '/') + ".class";
    return ClassLoader.getSystemResource(file) == null
        ? Optional.empty()
        : Optional.of(
            new ToolServer(
                Path.of(java, "bin", "java").toString(),
                List.of(
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx128m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-Dmidcourse.home=" + data,
                    MAIN,
                    COMMAND),
                Map.of()));
  }

  /**
   * Returns why the agent of a conversation gets no tools; empty if it gets them. A sandbox hides
   * the data folder with the socket of the hub.
   */
  static Optional<String> obstacle(Sandbox sandbox, Optional<ToolServer> server) {
    Optional<String> reason =
        switch (sandbox) {
          case Sandbox.None _ ->
              server.isPresent() ? Optional.empty() : Optional.of("midcourse mcp is not installed");
          case Sandbox.Bubblewrap _, Sandbox.Container _ ->
              Optional.of("the hub cannot be reached from its sandbox");
        };
    return reason.map(why ->
        "the agent has no tools for its chat (send_message, ask_user_question and others), because "
            + why
            + "; its answers are sent as usual");
  }
}
