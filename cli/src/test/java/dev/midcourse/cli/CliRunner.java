package dev.midcourse.cli;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs commands with arguments as a shell passes them, and keeps their output. */
record CliRunner(
    Path data, ShellContext.Terminals terminals, String input, Map<String, String> environment) {

  /** The result of a command. */
  record Typed(ExitCode code, String out, String err) {
    String all() {
      return code + "\n" + out + err;
    }
  }

  static CliRunner in(Path data) {
    return new CliRunner(
        data,
        ShellContext.Terminals.NONE,
        "",
        Map.of("PATH", System.getenv().getOrDefault("PATH", "")));
  }

  /** Returns a runner with all three streams on a terminal of this width, without input. */
  CliRunner watching(int columns) {
    return new CliRunner(
        data, new ShellContext.Terminals(false, true, true, true, columns, 24), input, environment);
  }

  CliRunner saying(String text) {
    return new CliRunner(data, terminals, text, environment);
  }

  CliRunner with(String name, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(name, value);
    return new CliRunner(data, terminals, input, more);
  }

  Typed type(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ShellContext shell =
        new ShellContext(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            terminals,
            environment,
            data,
            data,
            Optional.empty(),
            InstantSource.system());
    ExitCode code = Main.run(List.of(words), shell);
    return new Typed(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
