package dev.midcourse.agents.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts a {@link KillableHub} for a test, and kills it at the latest after the test. */
public final class KillableHubs implements AfterEachCallback {
  private final HostedPrograms programs;
  private @Nullable Process hub;

  public KillableHubs(HostedPrograms programs) {
    this.programs = programs;
  }

  /** Starts a hub and waits for its first line. */
  public void start(String task, String word, List<ProcessMarker> marks) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KillableHub.class.getName(),
                task,
                programs.root().toString()));
    marks.forEach(mark -> command.add(mark.token()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    hub = process;
    BufferedReader words =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    assertThat(words.readLine()).isEqualTo(word);
  }

  public void kill() throws InterruptedException {
    Process process = hub;
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    kill();
  }
}
