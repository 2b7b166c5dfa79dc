package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.SteerMode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A hub process that a test can kill. It starts one run and reads steers, one per line. It prints
 * the id of a steer only when the steer is durable.
 */
final class KillableHub implements AutoCloseable {
  private static final String ENVIRONMENT = "environment.";
  private static final String ARGUMENT = "argument.";

  private final Process process;
  private final BufferedReader answers;

  private KillableHub(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  static KillableHub start(
      Path folder, AgentName agent, AgentSettings settings, RunId run, String prompt)
      throws IOException {
    write(settings, folder.resolve("settings.properties"));
    return new KillableHub(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")
                    .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator),
                KillableHub.class.getName(),
                folder.toString(),
                agent.value(),
                run.value(),
                prompt)
            .redirectError(folder.resolve("hub.err").toFile())
            .start());
  }

  SteerId steer(String text) throws IOException {
    Writer to = process.outputWriter(StandardCharsets.UTF_8);
    to.write(text + "\n");
    to.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IllegalStateException("the hub ended by itself");
    }
    return SteerId.of(answer);
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }

  /** Entry point of the hub process. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    AgentSettings settings = read(folder.resolve("settings.properties"));
    AgentFixture fixture = AgentFixture.open(folder, AgentName.of(args[1]), settings);
    Run run = fixture.run(Optional.of(RunId.of(args[2])), args[3]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      System.out.println(fixture.steer(run, SteerMode.STEER, text));
    }
    fixture.close();
  }

  private static void write(AgentSettings settings, Path file) throws IOException {
    Properties lines = new Properties();
    lines.setProperty("command", settings.command().orElseThrow());
    settings.driver().ifPresent(kind -> lines.setProperty("driver", kind));
    settings.model().ifPresent(model -> lines.setProperty("model", model));
    settings.environment().forEach((name, value) -> lines.setProperty(ENVIRONMENT + name, value));
    for (int i = 0; i < settings.arguments().size(); i++) {
      lines.setProperty(ARGUMENT + (100 + i), settings.arguments().get(i));
    }
    try (Writer to = Files.newBufferedWriter(file)) {
      lines.store(to, null);
    }
  }

  private static AgentSettings read(Path file) throws IOException {
    Properties lines = new Properties();
    try (Reader from = Files.newBufferedReader(file)) {
      lines.load(from);
    }
    Map<String, String> environment = new TreeMap<>();
    Map<String, String> arguments = new TreeMap<>();
    for (String name : lines.stringPropertyNames()) {
      if (name.startsWith(ENVIRONMENT)) {
        environment.put(name.substring(ENVIRONMENT.length()), lines.getProperty(name));
      } else if (name.startsWith(ARGUMENT)) {
        arguments.put(name, lines.getProperty(name));
      }
    }
    AgentSettings settings =
        AgentSettings.defaults()
            .withCommand(lines.getProperty("command"))
            .withArguments(List.copyOf(arguments.values()))
            .withEnvironment(environment)
            .withHome(Home.OWN)
            .withPermissions(Permissions.BYPASS);
    String kind = lines.getProperty("driver");
    AgentSettings driven = kind == null ? settings : settings.withDriver(kind);
    String model = lines.getProperty("model");
    return model == null ? driven : driven.withModel(model);
  }
}
