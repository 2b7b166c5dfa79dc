package dev.midcourse.hub;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Wire;
import dev.midcourse.hub.http.Durations;
import dev.midcourse.hub.http.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was said when the hub was started; it wins over the environment, and that over the file. */
record Arguments(
    Optional<String> host,
    Optional<Integer> port,
    boolean insecure,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<Duration> untilIdle,
    boolean foreground,
    Optional<Path> config) {

  static Arguments parse(String... words) {
    Deque<String> left = new ArrayDeque<>(List.of(words));
    Arguments found =
        new Arguments(
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.empty());
    while (!left.isEmpty()) {
      String word = left.pop();
      found =
          switch (word) {
            case "--port" -> found.withPort(number(word, value(word, left)));
            case "--host" -> found.withHost(value(word, left));
            case "--insecure" -> found.withInsecure();
            case "--tls-cert" -> found.withCertificate(file(word, value(word, left)));
            case "--tls-key" -> found.withKey(file(word, value(word, left)));
            case "--until-idle" ->
                found.withUntilIdle(Durations.parse("--until-idle", value(word, left)));
            case "--foreground" -> found.withForeground();
            case "--config" -> found.withConfig(file(word, value(word, left)));
            default ->
                throw Problem.invalid(
                        "arguments",
                        "--port, --host, --insecure, --tls-cert, --tls-key, --until-idle, --foreground,"
                            + " --config",
                        "unknown argument " + Wire.shown(word))
                    .refused();
          };
    }
    return found;
  }

  /** The settings of the folder, with what was said instead. */
  HubSettings over(HubSettings file, Map<String, String> environment) {
    return new HubSettings(
        file.data(),
        host.orElse(file.host()),
        port.or(file::port),
        insecure || file.insecure(),
        file.publicUrl(),
        HubSettings.tls(
            file.data(),
            certificate.or(() -> file.tls().map(Tls::certificate)),
            key.or(() -> file.tls().map(Tls::key))),
        untilIdle.or(file::untilIdle),
        Optional.ofNullable(environment.get("MIDCOURSE_DATABASE_URL")).or(file::databaseUrl),
        file.defaultAgent(),
        file.mostRunning(),
        file.crew(),
        file.agents());
  }

  /** The settings of the data folder, from the file that was named or the usual one. */
  HubSettings settings(Path data, Map<String, String> environment) {
    HubSettings file =
        config
            .map(named -> SettingsFile.read(data, named))
            .orElseGet(() -> SettingsFile.read(data));
    return over(file, environment);
  }

  /** The folder that the environment names, or the usual one. */
  static Path data(Map<String, String> environment) {
    String named = System.getProperty("midcourse.home", "");
    String home = named.isEmpty() ? environment.getOrDefault("MIDCOURSE_HOME", "") : named;
    return home.isEmpty() ? Path.of(System.getProperty("user.home"), ".midcourse") : Path.of(home);
  }

  private static String value(String word, Deque<String> left) {
    if (left.isEmpty()) {
      throw Problem.invalid(word, "a value after it", word + " needs a value").refused();
    }
    return left.pop();
  }

  private static Path file(String word, String name) {
    Path file = Path.of(name).toAbsolutePath();
    if (!Files.isRegularFile(file)) {
      throw Problem.invalid(word, "a file", word + ": there is no file " + file).refused();
    }
    return file;
  }

  private static int number(String word, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new RefusedException(
          Problem.invalid(word, "a number", word + " must be a number; got " + Wire.shown(text)),
          e);
    }
  }

  private Arguments withHost(String other) {
    return new Arguments(
        Optional.of(other), port, insecure, certificate, key, untilIdle, foreground, config);
  }

  private Arguments withPort(int other) {
    return new Arguments(
        host, Optional.of(other), insecure, certificate, key, untilIdle, foreground, config);
  }

  private Arguments withInsecure() {
    return new Arguments(host, port, true, certificate, key, untilIdle, foreground, config);
  }

  private Arguments withCertificate(Path file) {
    return new Arguments(
        host, port, insecure, Optional.of(file), key, untilIdle, foreground, config);
  }

  private Arguments withKey(Path file) {
    return new Arguments(
        host, port, insecure, certificate, Optional.of(file), untilIdle, foreground, config);
  }

  private Arguments withUntilIdle(Duration other) {
    return new Arguments(
        host, port, insecure, certificate, key, Optional.of(other), foreground, config);
  }

  private Arguments withForeground() {
    return new Arguments(host, port, insecure, certificate, key, untilIdle, true, config);
  }

  private Arguments withConfig(Path file) {
    return new Arguments(
        host, port, insecure, certificate, key, untilIdle, foreground, Optional.of(file));
  }
}
