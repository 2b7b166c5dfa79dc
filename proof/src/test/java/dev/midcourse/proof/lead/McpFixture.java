package dev.midcourse.proof.lead;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A hub with a lead and a worker, and both transports to its tools. */
final class McpFixture implements AutoCloseable {
  private final Path data;
  private final InProcessRehearsal agent = new InProcessRehearsal();
  private final Hub hub;

  McpFixture(Path data) throws IOException {
    this.data = data;
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers.other-worker-1]
        agent = "rehearsal"

        [workers.jarvis-worker-1]
        agent = "rehearsal"
        at_once = 4

        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*"]
        """);
    this.hub =
        Hub.start(
            SettingsFile.read(data).withPort(0),
            _ -> Drivers.of(Map.of(AgentName.of("rehearsal"), agent)));
  }

  Hub hub() {
    return hub;
  }

  /** Returns the command that an agent on this machine starts, as the lead. */
  List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-Xmx128m",
        "-cp",
        System.getProperty("java.class.path"),
        "-Dmidcourse.home=" + data,
        "dev.midcourse.cli.Main",
        "mcp",
        "--as",
        "andy-developer");
  }

  String address() {
    return "http://127.0.0.1:" + hub.port();
  }

  /** Returns the URL to which remote programs post, as the lead. */
  static String endpoint() {
    return "/mcp?as=andy-developer";
  }

  String token() throws IOException {
    return Files.readString(data.resolve("token")).strip();
  }

  @Override
  public void close() {
    hub.close();
    agent.close();
  }
}
