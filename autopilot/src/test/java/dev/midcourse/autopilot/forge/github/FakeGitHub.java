package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Seen;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
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
              : rest(request, path, login.orElse(""));
    }
    if (!isGraphQl) {
      exchanges.add(
          new Exchange(request.method(), path, reply.status(), new String(reply.body(), UTF_8)));
    }
    return limited(tagged(request, reply));
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

  private Reply rest(Seen request, String path, String login)
      throws IOException, InterruptedException {
    String repo = "/repos/" + PROJECT;
    String call = request.method() + " ";
    if (path.equals("/user")) {
      return Reply.json(200, json.user(login));
    }
    if (path.startsWith("/app/") || path.equals(repo + "/installation")) {
      return app(request, path);
    }
    if (!path.startsWith(repo)) {
      return error(404, "Not Found");
    }
    List<String> parts = List.of((call + path.substring(repo.length())).split("/", -1));
    Optional<FakePullRequest> pull =
        parts.size() > 2 && (parts.get(1).equals("pulls") || parts.get(1).equals("issues"))
            ? pull(parts.get(2))
            : Optional.empty();
    return switch (shape(parts)) {
      case "GET " -> Reply.json(200, repositoryOf(login));
      case "GET pulls" -> page(request, listed(request));
      case "POST pulls" -> open(request, login);
      case "GET pulls *" -> on(pull, found -> Reply.json(200, whole(found)));
      case "PATCH pulls *" -> on(pull, found -> edit(request, found));
      case "POST pulls * requested_reviewers" -> on(pull, found -> ask(request, found));
      case "GET pulls * reviews" ->
          on(
              pull,
              found ->
                  page(request, found.reviews.stream().map(r -> json.review(found, r)).toList()));
      case "GET issues * comments" ->
          on(
              pull,
              found ->
                  page(request, found.comments.stream().map(c -> json.comment(found, c)).toList()));
      case "POST issues * comments" -> on(pull, found -> addComment(request, found, login));
      case "PATCH issues comments *" -> editComment(request, parts.getLast());
      case "POST pulls * comments * replies" ->
          on(pull, found -> reply(request, found, parts.get(4), login));
      case "PUT pulls * update-branch" -> on(pull, found -> update(request, found));
      case "PUT pulls * merge" -> on(pull, found -> merge(request, found));
      case "PUT pulls * merge-async" -> on(pull, found -> mergeLater(request, found));
      case "GET pulls * merge-async *" ->
          Optional.ofNullable(merges.get(parts.getLast()))
              .map(result -> Reply.json(200, result))
              .orElse(error(404, "Not Found"));
      case "GET commits *" ->
          Reply.json(200, json.commit(parts.get(2), repository.parents(parts.get(2))));
      case "GET commits * check-runs" -> checks(request, parts.get(2));
      case "GET commits * status" -> status(request, parts.get(2));
      case "GET check-runs * annotations" -> annotations(request, parts.get(2));
      case "GET actions jobs * logs" ->
          run(parts.get(3)).isPresent()
              ? Reply.of(302, "").with("Location", logs.address() + "/log/" + parts.get(3))
              : error(404, "Not Found");
      case "GET actions runs" -> runs(request);
      case "POST actions runs * rerun-failed-jobs" -> rerun(parts.get(3));
      default -> error(404, "Not Found");
    };
  }

  /** The parts of a call, with a star for what names one thing. */
  private static String shape(List<String> parts) {
    StringBuilder shape = new StringBuilder(parts.getFirst());
    for (String part : parts.subList(1, parts.size())) {
      boolean isName = part.matches("main|\\d+|[0-9a-f]{40}|[0-9a-f]{8}-[0-9a-f-]{27}");
      shape.append(shape.toString().endsWith(" ") ? "" : " ").append(isName ? "*" : part);
    }
    return shape.toString();
  }

  /** Answers for a pull request that exists. */
  private interface OnPull {
    Reply answer(FakePullRequest pull) throws IOException, InterruptedException;
  }

  private static Reply on(Optional<FakePullRequest> pull, OnPull then)
      throws IOException, InterruptedException {
    return pull.isPresent() ? then.answer(pull.get()) : error(404, "Not Found");
  }

  Optional<FakePullRequest> pull(String number) {
    return number.matches("\\d+")
        ? Optional.ofNullable(pulls.get(Long.valueOf(number)))
        : Optional.empty();
  }

  private JsonValue repositoryOf(String login) {
    boolean push = collaborators.contains(login);
    return json.repository()
        .with("allow_merge_commit", true)
        .with("allow_squash_merge", true)
        .with("allow_rebase_merge", false)
        .with(
            "permissions",
            JsonValue.object().with("admin", false).with("push", push).with("pull", true));
  }

  private JsonValue whole(FakePullRequest pull) throws IOException, InterruptedException {
    return json.pull(pull, head(pull), repository.head(pull.base).orElse(""), true);
  }

  private List<JsonValue> listed(Seen request) throws IOException, InterruptedException {
    String head = parameter(request, "head").orElse("");
    String base = parameter(request, "base").orElse("");
    List<JsonValue> found = new ArrayList<>();
    for (FakePullRequest pull : pulls.values()) {
      if (!pull.closed
          && pull.mergeCommit.isEmpty()
          && (head.isEmpty() || head.equals(OWNER + ":" + pull.branch))
          && (base.isEmpty() || base.equals(pull.base))) {
        found.add(json.pull(pull, head(pull), repository.head(pull.base).orElse(""), false));
      }
    }
    return found;
  }

  private Reply open(Seen request, String login) throws IOException, InterruptedException {
    JsonValue.Obj body = request.json();
    String branch = body.string("head").orElse("");
    String base = body.string("base").orElse("");
    boolean exists =
        pulls.values().stream()
            .anyMatch(p -> !p.closed && p.mergeCommit.isEmpty() && p.branch.equals(branch));
    if (exists) {
      return invalid("A pull request already exists for " + OWNER + ":" + branch + ".");
    }
    if (repository.head(branch).isEmpty() || repository.head(base).isEmpty()) {
      return invalid("head or base is no branch");
    }
    if (repository.has(base, repository.head(branch).orElseThrow())) {
      return invalid("No commits between " + base + " and " + branch);
    }
    long number = pulls.isEmpty() ? 1 : pulls.lastKey() + 1;
    FakePullRequest pull =
        new FakePullRequest(
            number,
            login,
            branch,
            base,
            body.string("title").orElse(""),
            body.string("body").orElse(""));
    pull.draft = body.is("draft");
    pulls.put(number, pull);
    return Reply.json(201, whole(pull));
  }

  private Reply edit(Seen request, FakePullRequest pull) throws IOException, InterruptedException {
    JsonValue.Obj body = request.json();
    body.string("title").ifPresent(title -> pull.title = title);
    body.string("body").ifPresent(text -> pull.body = text);
    body.string("base").ifPresent(base -> pull.base = base);
    if (body.string("state").filter("closed"::equals).isPresent()) {
      pull.headAtEnd = head(pull);
      pull.closed = true;
    }
    return Reply.json(200, whole(pull));
  }

  private Reply ask(Seen request, FakePullRequest pull) throws IOException, InterruptedException {
    for (String reviewer : request.json().texts("reviewers")) {
      if (reviewer.equals(pull.author)) {
        return invalid("Review cannot be requested from pull request author.");
      }
      boolean isCopilot = reviewer.equals("copilot-pull-request-reviewer[bot]");
      if (!isCopilot && !reviewer.equals(COPILOT) && !collaborators.contains(reviewer)) {
        return invalid("Reviews may only be requested from collaborators.");
      }
      if (!reviewer.equals(COPILOT) && !ignoredReviewers.contains(reviewer)) {
        pull.requested.add(isCopilot ? COPILOT : reviewer);
        pull.askedOnce.add(isCopilot ? COPILOT : reviewer);
      }
    }
    for (String team : request.json().texts("team_reviewers")) {
      pull.requested.add(OWNER + "/" + team);
      pull.askedOnce.add(OWNER + "/" + team);
    }
    return Reply.json(
        201, json.pull(pull, head(pull), repository.head(pull.base).orElse(""), false));
  }

  private Reply addComment(Seen request, FakePullRequest pull, String login) {
    FakePullRequest.Comment comment = comment(login, request.json().string("body").orElse(""));
    pull.comments.add(comment);
    return Reply.json(201, json.comment(pull, comment));
  }

  private Reply editComment(Seen request, String id) {
    for (FakePullRequest pull : pulls.values()) {
      for (FakePullRequest.Comment comment : pull.comments) {
        if (Long.toString(comment.id).equals(id)) {
          comment.body = request.json().string("body").orElse("");
          return Reply.json(200, json.comment(pull, comment));
        }
      }
    }
    return error(404, "Not Found");
  }

  private Reply reply(Seen request, FakePullRequest pull, String id, String login)
      throws IOException, InterruptedException {
    for (FakePullRequest.FakeThread thread : pull.threads) {
      if (Long.toString(thread.comments.getFirst().id).equals(id)) {
        FakePullRequest.Comment comment = comment(login, request.json().string("body").orElse(""));
        thread.comments.add(comment);
        return Reply.json(201, json.threadComment(pull, thread, comment, head(pull)));
      }
    }
    return error(404, "Not Found");
  }

  private Reply update(Seen request, FakePullRequest pull)
      throws IOException, InterruptedException {
    String head = head(pull);
    String base = repository.head(pull.base).orElseThrow();
    if (request.json().string("expected_head_sha").filter(head::equals).isEmpty()) {
      return error(422, "expected head sha didn't match current head ref.");
    }
    if (repository.has(pull.branch, base)) {
      return error(422, "There are no new commits on the base branch.");
    }
    if (!updatesLate && repository.merge(pull.branch, base).isEmpty()) {
      return error(422, "merge conflict between base and head");
    }
    return Reply.json(
        202,
        JsonValue.object()
            .with("message", "Updating pull request branch.")
            .with("url", host.address() + "/" + PROJECT + "/pull/" + pull.number));
  }

  private Reply merge(Seen request, FakePullRequest pull) throws IOException, InterruptedException {
    if (pull.stacked) {
      return error(405, "Stacked pull requests must be merged with the merge-async endpoint.");
    }
    if (request.json().string("sha").filter(head(pull)::equals).isEmpty()) {
      return error(409, "Head branch was modified. Review and try the merge again.");
    }
    if (pull.draft || pull.closed || pull.mergeCommit.isPresent() || !mergeNow(pull)) {
      return error(405, "Pull Request is not mergeable");
    }
    return Reply.json(
        200,
        JsonValue.object()
            .with("sha", pull.mergeCommit.orElseThrow())
            .with("merged", true)
            .with("message", "Pull Request successfully merged"));
  }

  private boolean mergeNow(FakePullRequest pull) throws IOException, InterruptedException {
    String head = head(pull);
    if (!pull.mergeState.equals("CLEAN")) {
      return false;
    }
    Optional<String> merged = repository.merge(pull.base, head);
    if (merged.isPresent()) {
      pull.headAtEnd = head;
      pull.mergeCommit = merged;
    }
    return merged.isPresent();
  }

  private Reply mergeLater(Seen request, FakePullRequest pull)
      throws IOException, InterruptedException {
    String uuid = "630b9d5e-3f2a-4f7e-8b0c-%012d".formatted(nextId());
    boolean done =
        request.json().string("sha").filter(head(pull)::equals).isPresent() && mergeNow(pull);
    merges.put(
        uuid,
        JsonValue.object()
            .with("status", done ? "merged" : "failed")
            .with(
                "details",
                JsonValue.object()
                    .with("message", done ? "Merged." : "It could not be merged.")
                    .with("sha", pull.mergeCommit)));
    return Reply.json(
        202,
        JsonValue.object()
            .with("status", "pending")
            .with(
                "details",
                JsonValue.object()
                    .with("message", "Merge request enqueued.")
                    .with("uuid", uuid)
                    .with("merge_method", "merge")
                    .with("merge_action", "direct_merge")
                    .with("expected_head_sha", head(pull))));
  }

  private Reply checks(Seen request, String head) {
    if (checksForbidden) {
      return error(403, "Resource not accessible by personal access token");
    }
    List<FakeCheckRun> runs = checkRuns.getOrDefault(head, List.of());
    return page(
        request,
        runs.stream().map(run -> json.checkRun(run, head)).toList(),
        items -> JsonValue.object().with("total_count", runs.size()).with("check_runs", items));
  }

  private Reply status(Seen request, String head) {
    Map<String, String> states = statuses.getOrDefault(head, Map.of());
    return page(
        request,
        states.entrySet().stream().map(e -> json.status(e.getKey(), e.getValue())).toList(),
        items ->
            JsonValue.object()
                .with("state", "pending")
                .with("sha", head)
                .with("total_count", states.size())
                .with("statuses", items)
                .with("repository", json.repository())
                .with("commit_url", host.address() + "/commit")
                .with("url", host.address() + "/status"));
  }

  private Optional<FakeCheckRun> run(String id) {
    return checkRuns.values().stream()
        .flatMap(List::stream)
        .filter(run -> Long.toString(run.id()).equals(id))
        .findFirst();
  }

  private Reply annotations(Seen request, String id) {
    return run(id)
        .map(run -> page(request, run.annotations().stream().map(json::annotation).toList()))
        .orElse(error(404, "Not Found"));
  }

  private Reply runs(Seen request) {
    List<WorkflowRun> runs =
        workflowRuns.stream()
            .filter(run -> parameter(request, "head_sha").filter(run.head()::equals).isPresent())
            .toList();
    return page(
        request,
        runs.stream().map(json::workflowRun).toList(),
        items -> JsonValue.object().with("total_count", runs.size()).with("workflow_runs", items));
  }

  private Reply rerun(String id) {
    for (int i = 0; i < workflowRuns.size(); i++) {
      WorkflowRun run = workflowRuns.get(i);
      if (Long.toString(run.id()).equals(id)) {
        workflowRuns.set(
            i, new WorkflowRun(run.id(), run.head(), run.conclusion(), run.attempt() + 1));
        return Reply.json(201, JsonValue.object());
      }
    }
    return error(404, "Not Found");
  }

  private Reply app(Seen request, String path) {
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

  private Reply page(Seen request, List<JsonValue> items) {
    return page(request, items, page -> page);
  }

  /** Makes the body of a page. */
  private interface PageBody {
    JsonValue of(JsonValue.Arr items);
  }

  private Reply page(Seen request, List<JsonValue> items, PageBody body) {
    int size = parameter(request, "per_page").map(Integer::parseInt).orElse(30);
    int page = parameter(request, "page").map(Integer::parseInt).orElse(1);
    int from = Math.min(items.size(), (page - 1) * size);
    int to = Math.min(items.size(), from + size);
    Reply reply = Reply.json(200, body.of(new JsonValue.Arr(items.subList(from, to))));
    if (to == items.size()) {
      return reply;
    }
    String others = request.query().replaceAll("&?\\bpage=\\d+", "");
    return reply.with(
        "Link",
        "<%s%s?%s&page=%d>; rel=\"next\", <%s>; rel=\"last\""
            .formatted(host.address(), request.path(), others, page + 1, host.address()));
  }

  private static Optional<String> parameter(Seen request, String name) {
    for (String pair : request.query().split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return Optional.of(URLDecoder.decode(pair.substring(name.length() + 1), UTF_8));
      }
    }
    return Optional.empty();
  }

  static Reply error(int status, String message) {
    return Reply.json(
        status,
        JsonReader.readObject("{}")
            .with("message", message)
            .with("documentation_url", "https://docs.github.com/rest")
            .with("status", Integer.toString(status)));
  }

  private static Reply invalid(String message) {
    return Reply.json(
        422,
        JsonValue.object()
            .with("message", "Validation Failed")
            .with(
                "errors",
                new JsonValue.Arr(
                    List.of(
                        JsonValue.object()
                            .with("resource", "PullRequest")
                            .with("code", "custom")
                            .with("message", message))))
            .with("documentation_url", "https://docs.github.com/rest"));
  }

  @Override
  public void close() {
    host.close();
    logs.close();
  }
}
