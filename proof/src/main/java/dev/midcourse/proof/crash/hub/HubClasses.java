package dev.midcourse.proof.crash.hub;

import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.agents.rehearsal.program.RehearsalProgram;
import dev.midcourse.core.agent.AgentEvent;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The start of the command line of a drill's hubs. A drill that starts thousands of processes
 * prepares their classes once, loaded and linked, in caches of the JDK. The caches need jars where
 * a build has folders. Without the caches the drill works more slowly.
 */
public final class HubClasses {
  private static final int MAX_TRAINING = 120;
  private static final String TASK =
      """
      {"type":"prompt","turn":1,"message":"Training.\\n$ true\\n$ sleep 0.3"}
      {"type":"barrier","name":"training"}
      {"type":"steer","steer_id":"00000000-0000-4000-8000-000000000001","message":"Heard."}
      """;

  private final List<String> command;

  private HubClasses(List<String> command) {
    this.command = List.copyOf(command);
  }

  /** Returns the classes as the build made them. */
  public static HubClasses asBuilt() {
    String path =
        System.getProperty("java.class.path")
            .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator);
    return new HubClasses(command(List.of(), path));
  }

  /** Returns the same classes in jars in this folder, with caches of the JDK. */
  public static HubClasses prepared(Path folder, DrillStore store)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Map<Path, Path> jars = jars(folder);
    String path =
        String.join(File.pathSeparator, jars.values().stream().map(Path::toString).toList());
    Path agents = folder.resolve("rehearsal.aot");
    rehearse(
        folder,
        agents,
        jars.get(whereFrom(RehearsalProgram.class))
            + File.pathSeparator
            + jars.get(whereFrom(AgentEvent.class)));
    String withAgents = "-D" + RehearsalDriver.AOT_CACHE + "=" + agents;
    Path hubs = folder.resolve("hub.aot");
    train(
        new HubClasses(command(List.of(withAgents, "-XX:AOTCacheOutput=" + hubs), path)),
        folder,
        store);
    return new HubClasses(command(List.of(withAgents, "-XX:AOTCache=" + hubs), path));
  }

  List<String> command() {
    return command;
  }

  private static List<String> command(List<String> more, String path) {
    List<String> words = new ArrayList<>();
    words.add(java());
    words.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED"));
    words.addAll(more);
    words.addAll(List.of("-cp", path));
    return words;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Returns every class path entry and its jar. */
  private static Map<Path, Path> jars(Path folder) {
    ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Map<Path, Path> jars = new LinkedHashMap<>();
    String path = System.getProperty("java.class.path");
    for (String place : path.split(File.pathSeparator, -1)) {
      Path from = Path.of(place).toAbsolutePath();
      if (!place.isEmpty() && Files.isDirectory(from)) {
        Path to = folder.resolve(jars.size() + ".jar");
        if (jar.run(nowhere, nowhere, "-cf", to.toString(), "-C", from.toString(), ".") == 0) {
          jars.put(from, to);
        }
      } else if (Files.isRegularFile(from)) {
        jars.put(from, from);
      }
    }
    return jars;
  }

  private static Path whereFrom(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Runs one turn of an agent, which ends when its input ends. */
  private static void rehearse(Path folder, Path cache, String path)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                java(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xlog:disable",
                "-XX:AOTCacheOutput=" + cache,
                "-cp",
                path,
                RehearsalProgram.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("HOME", folder.toString());
    Process agent = builder.start();
    try (Writer in = agent.outputWriter(StandardCharsets.UTF_8)) {
      in.write(TASK);
      in.flush();
      boolean _ = agent.waitFor(1, TimeUnit.SECONDS);
    }
    awaitEnd(agent);
  }

  /** Runs one run from its start to its end. */
  private static void train(HubClasses recording, Path folder, DrillStore store)
      throws IOException, InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    HubProcess hub =
        HubProcess.start(
            recording,
            Files.createDirectories(folder.resolve("training")),
            store,
            "none",
            0,
            line -> {
              if (Stream.of("ended", "refused").anyMatch(line::startsWith)) {
                ended.countDown();
              }
            });
    hub.say("run training-1 rehearsal $ sleep 0.1|$ sleep 0.1");
    boolean _ = ended.await(MAX_TRAINING, TimeUnit.SECONDS);
    hub.leave(MAX_TRAINING);
  }

  private static void awaitEnd(Process process) throws InterruptedException {
    if (!process.waitFor(MAX_TRAINING, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
