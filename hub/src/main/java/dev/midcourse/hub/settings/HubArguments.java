package dev.midcourse.hub.settings;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.hub.http.route.Durations;
import dev.midcourse.hub.http.server.TlsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The arguments of the hub's command line. They override the environment, which overrides the file.
 */
public record HubArguments(
    Optional<String> host,
    Optional<Integer> port,
    boolean insecure,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<Duration> untilIdle,
    boolean foreground,
    Optional<Path> config) {

  private static final String HOST = "--host";
  private static final String PORT = "--port";
  private static final String INSECURE = "--insecure";
  private static final String CERTIFICATE = "--tls-cert";
  private static final String KEY = "--tls-key";
  private static final String UNTIL_IDLE = "--until-idle";
  private static final String FOREGROUND = "--foreground";
  private static final String CONFIG = "--config";

  private static final Set<String> FLAGS = Set.of(INSECURE, FOREGROUND);
  private static final List<String> ALL =
      List.of(PORT, HOST, INSECURE, CERTIFICATE, KEY, UNTIL_IDLE, FOREGROUND, CONFIG);

  /** Returns the arguments. Refuses an unknown one and lists the known. */
  public static HubArguments parse(String... words) {
    Deque<String> left = new ArrayDeque<>(List.of(words));
    Map<String, String> said = new HashMap<>();
    while (!left.isEmpty()) {
      String word = left.pop();
      if (!ALL.contains(word)) {
        throw Problem.invalid(
                "arguments", String.join(", ", ALL), "unknown argument " + WireNames.shown(word))
            .refused();
      }
      said.put(word, FLAGS.contains(word) ? "" : value(word, left));
    }
    return new HubArguments(
        Optional.ofNullable(said.get(HOST)),
        Optional.ofNullable(said.get(PORT)).map(text -> number(PORT, text)),
        said.containsKey(INSECURE),
        Optional.ofNullable(said.get(CERTIFICATE)).map(name -> file(CERTIFICATE, name)),
        Optional.ofNullable(said.get(KEY)).map(name -> file(KEY, name)),
        Optional.ofNullable(said.get(UNTIL_IDLE)).map(text -> Durations.parse(UNTIL_IDLE, text)),
        said.containsKey(FOREGROUND),
        Optional.ofNullable(said.get(CONFIG)).map(name -> file(CONFIG, name)));
  }

  /** Returns the settings with the values of the arguments and the environment. */
  public HubSettings over(HubSettings file, Map<String, String> environment) {
    return new HubSettings(
        file.data(),
        host.orElse(file.host()),
        port.or(file::port),
        insecure || file.insecure(),
        file.publicUrl(),
        HubSettings.tls(
            file.data(),
            certificate.or(() -> file.tls().map(TlsSettings::certificate)),
            key.or(() -> file.tls().map(TlsSettings::key))),
        untilIdle.or(file::untilIdle),
        Optional.ofNullable(environment.get("MIDCOURSE_DATABASE_URL")).or(file::databaseUrl),
        file.defaultAgent(),
        file.maxRunning(),
        file.keepToken(),
        file.workers(),
        file.agents(),
        file.stallPolicy(),
        file.redis(),
        file.channels(),
        file.chat(),
        file.forges());
  }

  /** Returns the settings of the data folder, from the named file or the default one. */
  public HubSettings settings(Path data, Map<String, String> environment) {
    HubSettings file =
        config
            .map(named -> SettingsFile.read(data, named))
            .orElseGet(() -> SettingsFile.read(data));
    return over(file, environment);
  }

  /** Returns the data folder that the environment names, or the default one. */
  public static Path data(Map<String, String> environment) {
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
          Problem.invalid(
              word, "a number", word + " must be a number; got " + WireNames.shown(text)),
          e);
    }
  }
}
