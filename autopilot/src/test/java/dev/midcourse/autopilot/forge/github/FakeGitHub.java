package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Seen;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * GitHub on this machine, with one repository: REST, GraphQL, git, and another host for the logs.
 * GitHub's own descriptions and its command line check it: {@code GitHubSchemaTest}, {@code
 * GhCommandTest}.
 */
final class FakeGitHub implements AutoCloseable {
  static final String OWNER = "shop-owner";
  static final String NAME = "shop";
  static final String PROJECT = OWNER + "/" + NAME;

  /** The token of ann, who may push. */
  static final String TOKEN = "ghp_secretTokenOfAnn0000000000000000000000";

  /** The token of bob, who may read. */
  static final String READ_TOKEN = "ghp_secretTokenOfBob0000000000000000000000";

  static final String APP = "Iv1.app";
  static final long INSTALLATION = 77;
  static final String COPILOT = "Copilot";
  private static final int LIMIT = 5_000;

  private final FakeHost host;
  private final FakeHost logs;
  private final FakeGitHubJson json;
  private final FakeGraphQl graphQl;
  private final FakeGitHubRest rest;
  private final GitHttpBackend git;
  private final AtomicLong ids = new AtomicLong(1_000);

  /** The fields below are guarded by this object. */
  final NavigableMap<Long, FakePullRequest> pulls = new TreeMap<>();

  final Map<String, List<FakeCheckRun>> checkRuns = new LinkedHashMap<>();
  final Map<String, Map<String, String>> statuses = new LinkedHashMap<>();
  final List<WorkflowRun> workflowRuns = new ArrayList<>();
  final Set<String> collaborators = new HashSet<>(Set.of("ann", "carl", "dora"));
  final Map<String, JsonValue> merges = new LinkedHashMap<>();
  private int remaining = LIMIT;

  final FakeRepository repository;
  final Map<String, String> logins =
      new ConcurrentHashMap<>(Map.of(TOKEN, "ann", READ_TOKEN, "bob"));
  final List<Exchange> exchanges = new CopyOnWriteArrayList<>();

  /** Reviewers whose request is answered with success and then forgotten. */
  final Set<String> ignoredReviewers = ConcurrentHashMap.newKeySet();

  volatile boolean queueForMain;
  volatile boolean autoMergeAllowed = true;
  volatile boolean updatesLate;
  volatile Optional<PublicKey> appKey = Optional.empty();
  volatile InstantSource appClock = InstantSource.system();
  volatile Map<String, String> appPermissions =
      Map.of("contents", "write", "pull_requests", "write", "checks", "read", "statuses", "read");

  /** Whether check runs are refused, as GitHub does to fine-grained tokens. */
  volatile boolean checksForbidden;

  /** An answer that was given, for the comparison with GitHub's description. */
  record Exchange(String method, String path, int status, String body) {}

  /** A run of a workflow of GitHub Actions. */
  record WorkflowRun(long id, String head, String conclusion, int attempt) {}

  FakeGitHub(Path folder) throws IOException, InterruptedException {
    this(folder, FakeGraphQl.partOfSchema());
  }

  /**
   * @param folder for the git repository
   * @param schema the GraphQL schema
   */
  FakeGitHub(Path folder, String schema) throws IOException, InterruptedException {
    repository = new FakeRepository(folder.resolve("shop.git"));
    graphQl = new FakeGraphQl(this, schema);
    git = new GitHttpBackend(folder);
    logs = new FakeHost(this::log);
    host = new FakeHost(this::answer);
    json = new FakeGitHubJson(host.address().toString());
    rest = new FakeGitHubRest(this, json);
  }

  FakeHost host() {
    return host;
  }

  FakeHost logs() {
    return logs;
  }

  URI api() {
    return host.address();
  }

  static boolean isBot(String login) {
    return login.endsWith("[bot]") || login.equals(COPILOT);
  }

  long nextId() {
    return ids.incrementAndGet();
  }

  /** Adds an open pull request of ann from a branch that exists. */
  synchronized FakePullRequest addPull(String branch) {
    long number = pulls.isEmpty() ? 1 : pulls.lastKey() + 1;
    FakePullRequest pull = new FakePullRequest(number, "ann", branch, "main", "Work", "The work");
    pulls.put(number, pull);
    return pull;
  }

  /** Adds a thread with one comment. */
  synchronized FakePullRequest.FakeThread addThread(
      FakePullRequest pull, String author, Optional<Integer> line, String text) {
    return addThread(pull, author, "src/Login.java", line, text);
  }

  synchronized FakePullRequest.FakeThread addThread(
      FakePullRequest pull, String author, String file, Optional<Integer> line, String text) {
    FakePullRequest.FakeThread thread =
        new FakePullRequest.FakeThread("PRRT_" + nextId(), file, line, 7);
    thread.comments.add(comment(author, text));
    pull.threads.add(thread);
    return thread;
  }

  FakePullRequest.Comment comment(String author, String text) {
    return new FakePullRequest.Comment(nextId(), author, text, Instant.parse(FakeGitHubJson.TIME));
  }

  synchronized void addCheck(String head, FakeCheckRun run) {
    checkRuns.computeIfAbsent(head, any -> new ArrayList<>()).add(run);
  }

  FakeCheckRun check(String name, String conclusion) {
    return new FakeCheckRun(
        nextId(), name, "completed", Optional.of(conclusion), List.of(), name + " log\n");
  }

  String head(FakePullRequest pull) throws IOException, InterruptedException {
    if (pull.mergeCommit.isPresent() || pull.closed) {
      return pull.headAtEnd;
    }
    return repository.head(pull.branch).orElse(pull.headAtEnd);
  }

  synchronized int remaining() {
    return remaining;
  }

  private Reply answer(Seen request) throws IOException, InterruptedException {
    String path =
        request.path().startsWith("/api/v3") ? request.path().substring(7) : request.path();
    if (path.startsWith("/" + PROJECT + ".git/")) {
      if (isPush(request) && mayNotPush(request)) {
        return Reply.of(401, "Authentication failed")
            .with("WWW-Authenticate", "Basic realm=\"GitHub\"");
      }
      return git.answer(request, "/shop.git" + path.substring(PROJECT.length() + 5));
    }
    boolean isGraphQl = path.equals("/graphql") || path.equals("/api/graphql");
    Reply reply;
    synchronized (this) {
      Optional<String> login = login(request);
      if (login.isEmpty() && !path.startsWith("/app/") && !path.endsWith("/installation")) {
        return error(401, "Bad credentials");
      }
      reply =
          isGraphQl
              ? graphQl.answer(request.json(), login.orElse(""))
              : rest.answer(request, path, login.orElse(""));
    }
    if (!isGraphQl) {
      exchanges.add(
          new Exchange(request.method(), path, reply.status(), new String(reply.body(), UTF_8)));
    }
    return limited(tagged(request, reply));
  }

  private static boolean isPush(Seen request) {
    return request.path().endsWith("/git-receive-pack")
        || request.query().contains("service=git-receive-pack");
  }

  private boolean mayNotPush(Seen request) {
    String header = request.header("authorization");
    if (!header.startsWith("Basic ")) {
      return true;
    }
    String pair = new String(Base64.getDecoder().decode(header.substring(6)), UTF_8);
    String login = logins.getOrDefault(pair.substring(pair.indexOf(':') + 1), "");
    return !collaborators.contains(login);
  }

  private Optional<String> login(Seen request) {
    String token = request.header("authorization").replaceFirst("(?i)^(bearer|token) ", "");
    return Optional.ofNullable(logins.get(token));
  }

  /** Adds the ETag; an answer that has not changed is not sent again. */
  private Reply tagged(Seen request, Reply reply) {
    if (!request.method().equals("GET") || reply.status() != 200) {
      return reply;
    }
    String etag = "W/\"" + Integer.toHexString(Arrays.hashCode(reply.body())) + "\"";
    return request.header("if-none-match").equals(etag)
        ? Reply.of(304, "").with("ETag", etag)
        : reply.with("ETag", etag);
  }

  private synchronized Reply limited(Reply reply) {
    if (reply.status() != 304) {
      remaining--;
    }
    return reply
        .with("X-RateLimit-Limit", Integer.toString(LIMIT))
        .with("X-RateLimit-Remaining", Integer.toString(remaining))
        .with(
            "X-RateLimit-Reset", Long.toString(Instant.now().plusSeconds(3_000).getEpochSecond()));
  }

  Optional<FakePullRequest> pull(String number) {
    return number.matches("\\d+")
        ? Optional.ofNullable(pulls.get(Long.valueOf(number)))
        : Optional.empty();
  }

  Optional<FakeCheckRun> run(String id) {
    return checkRuns.values().stream()
        .flatMap(List::stream)
        .filter(run -> Long.toString(run.id()).equals(id))
        .findFirst();
  }

  Reply app(Seen request, String path) {
    String token = request.header("authorization").replaceFirst("^Bearer ", "");
    if (appKey.isEmpty() || !JsonWebTokens.isValid(token, appKey.get(), APP, appClock.instant())) {
      return error(401, "A JSON web token could not be decoded");
    }
    if (path.endsWith("/installation")) {
      return Reply.json(200, json.installation());
    }
    String made = "ghs_" + nextId();
    logins.put(made, "midcourse-test[bot]");
    JsonValue.Obj permissions = JsonValue.object();
    for (Map.Entry<String, String> one : appPermissions.entrySet()) {
      permissions = permissions.with(one.getKey(), one.getValue());
    }
    return Reply.json(
        201,
        JsonValue.object()
            .with("token", made)
            .with("expires_at", Instant.now().plusSeconds(3_600).toString())
            .with("permissions", permissions));
  }

  private Reply log(Seen request) {
    synchronized (this) {
      return run(request.path().substring("/log/".length()))
          .map(run -> Reply.of(200, run.log()))
          .orElse(Reply.of(404, "gone"));
    }
  }

  static Reply error(int status, String message) {
    return Reply.json(
        status,
        JsonReader.readObject("{}")
            .with("message", message)
            .with("documentation_url", "https://docs.github.com/rest")
            .with("status", Integer.toString(status)));
  }

  @Override
  public void close() {
    host.close();
    logs.close();
  }
}
