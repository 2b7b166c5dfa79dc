package dev.midcourse.proof.bench;

import dev.midcourse.proof.Processes;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The hub as people run it, {@code midcourse serve}, in a folder that is gone afterwards. */
final class ServedHub implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(2);

  private final String midcourse;
  private final Path home;
  private Process process;

  private ServedHub(Path root) throws IOException, InterruptedException {
    midcourse = root.resolve("midcourse").toString();
    home = Files.createTempDirectory("mc"); // the path of a socket has to be short
    process = serve();
    awaitUp();
  }

  static ServedHub open(Path root) throws IOException, InterruptedException {
    return new ServedHub(root);
  }

  /** A command with this hub's folder as its own. */
  Process start(List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().put("MIDCOURSE_HOME", home.toString());
    return builder.start();
  }

  private Process serve() throws IOException {
    return start(List.of(midcourse, "serve", "--port", "0"));
  }

  private Path facts() {
    return home.resolve("hub.json");
  }

  private void awaitUp() throws InterruptedException {
    while (!Files.exists(facts())) {
      if (!process.isAlive()) {
        throw new IllegalStateException("the hub ended with " + process.exitValue());
      }
      Thread.sleep(LOOK);
    }
  }

  /** Ends it as a crash does; what its agents have goes on. */
  void kill() throws IOException, InterruptedException {
    Processes.kill(List.of(ProcessHandle.of(pid()).orElseThrow()));
    process.destroyForcibly().waitFor();
    Files.delete(facts());
  }

  /** Starts the next one in the same folder. */
  void startAgain() throws IOException, InterruptedException {
    process = serve();
    awaitUp();
  }

  private long pid() throws IOException {
    String json = Files.readString(facts());
    int at = json.indexOf("\"pid\":") + "\"pid\":".length();
    return Long.parseLong(json.substring(at).replaceFirst("^ *(\\d+)[^\\x00]*", "$1"));
  }

  HubCaller caller() throws IOException {
    String url = HubCaller.field(Files.readString(facts()).replace(": ", ":"), "url");
    int port = Integer.parseInt(url.replaceFirst(".*:(\\d+).*", "$1"));
    return new HubCaller(port, Files.readString(home.resolve("token")).strip());
  }

  /** Starts a run of the rehearsal agent, a process of its own. */
  void run(HubCaller caller, String id, String command) throws IOException {
    prompt(caller, id, "$ " + command);
  }

  /** The same with a whole prompt, as it stands in JSON. */
  void prompt(HubCaller caller, String id, String prompt) throws IOException {
    String body =
        "{\"run_id\":\"%s\",\"agent\":\"rehearsal\",\"prompt\":\"%s\"}".formatted(id, prompt);
    caller.post("/runs", body);
  }

  /** Waits until the run's first tool is at work. */
  void awaitTool(HubCaller caller, String id) throws IOException, InterruptedException {
    while (!caller.get("/runs/" + id).contains("\"tool\":\"shell\"")) {
      Thread.sleep(LOOK);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    start(List.of(midcourse, "shutdown")).waitFor();
    process.waitFor();
    Folders.delete(home);
  }
}
