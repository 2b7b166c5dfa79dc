package dev.midcourse.autopilot.forge.gerrit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.autopilot.forge.fixture.ForgeClients;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A real Gerrit on a copy of the site that {@code autopilot/servers/install} makes. Ends with the
 * object.
 */
final class GerritServer implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final Pattern LISTENS = Pattern.compile("\\{127\\.0\\.0\\.1:(\\d+)}");
  private static final String EVERYBODY = "global:Registered-Users";

  /** An account with the password for HTTP. */
  record Account(String name, String password) {
    String email() {
      return name + "@example.com";
    }

    private String basic() {
      return "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(UTF_8));
    }
  }

  static final Account ADMIN = new Account("admin", "secret");
  static final Account MIDCOURSE = new Account("midcourse", "midcourse-password");
  static final Account BOB = new Account("bob", "bob-password");
  static final Account CI = new Account("ci", "ci-password");

  private final Process process;
  private final URI url;
  private final HttpClient http = HttpClient.newHttpClient();

  private GerritServer(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /** Starts Gerrit with accounts and a label for CI. Skips the test if it is not installed. */
  static GerritServer start(Path folder) throws Exception {
    Path installed =
        Optional.ofNullable(System.getenv("MIDCOURSE_SERVERS"))
            .map(Path::of)
            .orElseGet(() -> ForgeClients.repository().resolve(".cache/servers"))
            .resolve("gerrit");
    assumeTrue(
        Files.exists(installed.resolve("installed")), "Gerrit is not installed; ./verify does it");
    Path site = folder.resolve("site");
    copy(installed.resolve("site"), site);
    configure(site);
    Path log = folder.resolve("gerrit.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.home=" + folder,
                "-cp",
                installed.resolve("classes")
                    + File.pathSeparator
                    + installed.resolve("jars")
                    + "/*",
                "GerritProgram",
                "Daemon",
                "-d",
                site.toString(),
                "--console-log",
                "--headless")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    GerritServer server;
    try {
      await()
          .atMost(START_TIMEOUT)
          .failFast(() -> !process.isAlive())
          .until(() -> Files.readString(log).contains("ready"));
      Matcher port = LISTENS.matcher(Files.readString(log));
      if (!port.find()) {
        throw new IllegalStateException(Files.readString(log));
      }
      server = new GerritServer(process, URI.create("http://127.0.0.1:" + port.group(1)));
    } catch (RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
    server.prepare();
    return server;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files.forEach(file -> {
        try {
          Files.copy(file, to.resolve(from.relativize(file).toString()));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
  }

  /** Keeps the id of the server, which is in the data, and sets everything else. */
  private static void configure(Path site) throws IOException {
    Path file = site.resolve("etc/gerrit.config");
    String serverId =
        Files.readString(file)
            .lines()
            .filter(line -> line.contains("serverId"))
            .findFirst()
            .orElseThrow();
    Files.writeString(
        file,
        """
        [gerrit]
          basePath = git
          canonicalWebUrl = http://gerrit.test/
        %s
        [index]
          type = lucene
        [auth]
          type = DEVELOPMENT_BECOME_ANY_ACCOUNT
          gitBasicAuthPolicy = HTTP
          userNameCaseInsensitive = true
        [sendemail]
          enable = false
        [sshd]
          listenAddress = off
        [httpd]
          listenUrl = http://127.0.0.1:0/
        [cache]
          directory = cache
        """
            .formatted(serverId));
  }

  private void prepare() throws Exception {
    for (Account account : List.of(MIDCOURSE, BOB, CI)) {
      call(
          ADMIN,
          "PUT",
          "/accounts/" + account.name(),
          Obj.EMPTY
              .with("name", account.name())
              .with("email", account.email())
              .with("http_password", account.password()));
    }
    call(
        ADMIN,
        "PUT",
        "/projects/All-Projects/labels/Verified",
        Obj.EMPTY
            .with("commit_message", "Add a label for CI")
            .with(
                "values",
                Obj.EMPTY.with("-1", "Fails").with(" 0", "No score").with("+1", "Verified")));
    Obj permissions =
        Obj.EMPTY
            .with("submit", rule(Obj.EMPTY.with("action", "ALLOW")))
            .with("push", rule(Obj.EMPTY.with("action", "ALLOW")))
            .with("rebase", rule(Obj.EMPTY.with("action", "ALLOW")))
            .with("label-Verified", vote("Verified", 1))
            .with("label-Code-Review", vote("Code-Review", 2));
    call(
        ADMIN,
        "POST",
        "/projects/All-Projects/access",
        Obj.EMPTY.with(
            "add", Obj.EMPTY.with("refs/heads/*", Obj.EMPTY.with("permissions", permissions))));
  }

  private static Obj vote(String label, int most) {
    return rule(Obj.EMPTY.with("action", "ALLOW").with("min", -most).with("max", most))
        .with("label", label);
  }

  private static Obj rule(Obj rule) {
    return Obj.EMPTY.with("rules", Obj.EMPTY.with(EVERYBODY, rule));
  }

  URI url() {
    return url;
  }

  /** Where git finds a project, with the credentials of an account. */
  String remote(Account account, String project) {
    return "http://%s:%s@127.0.0.1:%d/a/%s"
        .formatted(account.name(), account.password(), url.getPort(), project);
  }

  void createProject(String name) throws Exception {
    call(
        ADMIN,
        "PUT",
        "/projects/" + name,
        Obj.EMPTY
            .with("create_empty_commit", true)
            .with("branches", JsonValue.strings(List.of("main"))));
  }

  /** Calls the REST interface as an account, and demands success. */
  JsonValue call(Account account, String method, String path, Obj body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve("/a" + path))
            .header("Authorization", account.basic())
            .header("Content-Type", "application/json");
    HttpResponse<String> answer =
        http.send(
            method.equals("GET")
                ? request.GET().build()
                : request
                    .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
                    .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(method + " " + path + ": " + answer.statusCode() + answer.body());
    }
    String json = answer.body().strip();
    return json.isEmpty() ? new JsonValue.Null() : JsonReader.read(json.substring(4));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    http.close();
  }
}
