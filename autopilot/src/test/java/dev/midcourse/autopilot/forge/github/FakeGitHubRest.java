package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Seen;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The REST interface of {@link FakeGitHub}. Its methods run while the fake is locked. */
final class FakeGitHubRest {
  private final FakeGitHub github;
  private final FakeGitHubJson json;

  FakeGitHubRest(FakeGitHub github, FakeGitHubJson json) {
    this.github = github;
    this.json = json;
  }

  Reply answer(Seen request, String path, String login) throws IOException, InterruptedException {
    String repo = "/repos/" + FakeGitHub.PROJECT;
    String call = request.method() + " ";
    if (path.equals("/user")) {
      return Reply.json(200, json.user(login));
    }
    if (path.startsWith("/app/") || path.equals(repo + "/installation")) {
      return github.app(request, path);
    }
    if (!path.startsWith(repo)) {
      return FakeGitHub.error(404, "Not Found");
    }
    List<String> parts = List.of((call + path.substring(repo.length())).split("/", -1));
    Optional<FakePullRequest> pull =
        parts.size() > 2 && (parts.get(1).equals("pulls") || parts.get(1).equals("issues"))
            ? github.pull(parts.get(2))
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
          Optional.ofNullable(github.merges.get(parts.getLast()))
              .map(result -> Reply.json(200, result))
              .orElse(FakeGitHub.error(404, "Not Found"));
      case "GET commits *" ->
          Reply.json(200, json.commit(parts.get(2), github.repository.parents(parts.get(2))));
      case "GET commits * check-runs" -> checks(request, parts.get(2));
      case "GET commits * status" -> status(request, parts.get(2));
      case "GET check-runs * annotations" -> annotations(request, parts.get(2));
      case "GET actions jobs * logs" ->
          github.run(parts.get(3)).isPresent()
              ? Reply.of(302, "").with("Location", github.logs().address() + "/log/" + parts.get(3))
              : FakeGitHub.error(404, "Not Found");
      case "GET actions runs" -> runs(request);
      case "POST actions runs * rerun-failed-jobs" -> rerun(parts.get(3));
      default -> FakeGitHub.error(404, "Not Found");
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
    return pull.isPresent() ? then.answer(pull.get()) : FakeGitHub.error(404, "Not Found");
  }

  private JsonValue repositoryOf(String login) {
    boolean push = github.collaborators.contains(login);
    return json.repository()
        .with("allow_merge_commit", true)
        .with("allow_squash_merge", true)
        .with("allow_rebase_merge", false)
        .with(
            "permissions",
            JsonValue.object().with("admin", false).with("push", push).with("pull", true));
  }

  private JsonValue whole(FakePullRequest pull) throws IOException, InterruptedException {
    return json.pull(pull, github.head(pull), github.repository.head(pull.base).orElse(""), true);
  }

  private List<JsonValue> listed(Seen request) throws IOException, InterruptedException {
    String head = parameter(request, "head").orElse("");
    String base = parameter(request, "base").orElse("");
    List<JsonValue> found = new ArrayList<>();
    for (FakePullRequest pull : github.pulls.values()) {
      if (!pull.closed
          && pull.mergeCommit.isEmpty()
          && (head.isEmpty() || head.equals(FakeGitHub.OWNER + ":" + pull.branch))
          && (base.isEmpty() || base.equals(pull.base))) {
        found.add(
            json.pull(
                pull, github.head(pull), github.repository.head(pull.base).orElse(""), false));
      }
    }
    return found;
  }

  private Reply open(Seen request, String login) throws IOException, InterruptedException {
    JsonValue.Obj body = request.json();
    String branch = body.string("head").orElse("");
    String base = body.string("base").orElse("");
    boolean exists =
        github.pulls.values().stream()
            .anyMatch(p -> !p.closed && p.mergeCommit.isEmpty() && p.branch.equals(branch));
    if (exists) {
      return invalid("A pull request already exists for " + FakeGitHub.OWNER + ":" + branch + ".");
    }
    if (github.repository.head(branch).isEmpty() || github.repository.head(base).isEmpty()) {
      return invalid("head or base is no branch");
    }
    if (github.repository.has(base, github.repository.head(branch).orElseThrow())) {
      return invalid("No commits between " + base + " and " + branch);
    }
    long number = github.pulls.isEmpty() ? 1 : github.pulls.lastKey() + 1;
    FakePullRequest pull =
        new FakePullRequest(
            number,
            login,
            branch,
            base,
            body.string("title").orElse(""),
            body.string("body").orElse(""));
    pull.draft = body.is("draft");
    github.pulls.put(number, pull);
    return Reply.json(201, whole(pull));
  }

  private Reply edit(Seen request, FakePullRequest pull) throws IOException, InterruptedException {
    JsonValue.Obj body = request.json();
    body.string("title").ifPresent(title -> pull.title = title);
    body.string("body").ifPresent(text -> pull.body = text);
    body.string("base").ifPresent(base -> pull.base = base);
    if (body.string("state").filter("closed"::equals).isPresent()) {
      pull.headAtEnd = github.head(pull);
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
      if (!isCopilot
          && !reviewer.equals(FakeGitHub.COPILOT)
          && !github.collaborators.contains(reviewer)) {
        return invalid("Reviews may only be requested from github.collaborators.");
      }
      if (!reviewer.equals(FakeGitHub.COPILOT) && !github.ignoredReviewers.contains(reviewer)) {
        pull.requested.add(isCopilot ? FakeGitHub.COPILOT : reviewer);
        pull.askedOnce.add(isCopilot ? FakeGitHub.COPILOT : reviewer);
      }
    }
    for (String team : request.json().texts("team_reviewers")) {
      pull.requested.add(FakeGitHub.OWNER + "/" + team);
      pull.askedOnce.add(FakeGitHub.OWNER + "/" + team);
    }
    return Reply.json(
        201,
        json.pull(pull, github.head(pull), github.repository.head(pull.base).orElse(""), false));
  }

  private Reply addComment(Seen request, FakePullRequest pull, String login) {
    FakePullRequest.Comment comment =
        github.comment(login, request.json().string("body").orElse(""));
    pull.comments.add(comment);
    return Reply.json(201, json.comment(pull, comment));
  }

  private Reply editComment(Seen request, String id) {
    for (FakePullRequest pull : github.pulls.values()) {
      for (FakePullRequest.Comment comment : pull.comments) {
        if (Long.toString(comment.id).equals(id)) {
          comment.body = request.json().string("body").orElse("");
          return Reply.json(200, json.comment(pull, comment));
        }
      }
    }
    return FakeGitHub.error(404, "Not Found");
  }

  private Reply reply(Seen request, FakePullRequest pull, String id, String login)
      throws IOException, InterruptedException {
    for (FakePullRequest.FakeThread thread : pull.threads) {
      if (Long.toString(thread.comments.getFirst().id).equals(id)) {
        FakePullRequest.Comment comment =
            github.comment(login, request.json().string("body").orElse(""));
        thread.comments.add(comment);
        return Reply.json(201, json.threadComment(pull, thread, comment, github.head(pull)));
      }
    }
    return FakeGitHub.error(404, "Not Found");
  }

  private Reply update(Seen request, FakePullRequest pull)
      throws IOException, InterruptedException {
    String head = github.head(pull);
    String base = github.repository.head(pull.base).orElseThrow();
    if (request.json().string("expected_head_sha").filter(head::equals).isEmpty()) {
      return FakeGitHub.error(422, "expected head sha didn't match current head ref.");
    }
    if (github.repository.has(pull.branch, base)) {
      return FakeGitHub.error(422, "There are no new commits on the base branch.");
    }
    if (!github.updatesLate && github.repository.merge(pull.branch, base).isEmpty()) {
      return FakeGitHub.error(422, "merge conflict between base and head");
    }
    return Reply.json(
        202,
        JsonValue.object()
            .with("message", "Updating pull request branch.")
            .with("url", github.api() + "/" + FakeGitHub.PROJECT + "/pull/" + pull.number));
  }

  private Reply merge(Seen request, FakePullRequest pull) throws IOException, InterruptedException {
    if (pull.stacked) {
      return FakeGitHub.error(
          405, "Stacked pull requests must be merged with the merge-async endpoint.");
    }
    if (request.json().string("sha").filter(github.head(pull)::equals).isEmpty()) {
      return FakeGitHub.error(409, "Head branch was modified. Review and try the merge again.");
    }
    if (pull.draft || pull.closed || pull.mergeCommit.isPresent() || !mergeNow(pull)) {
      return FakeGitHub.error(405, "Pull Request is not mergeable");
    }
    return Reply.json(
        200,
        JsonValue.object()
            .with("sha", pull.mergeCommit.orElseThrow())
            .with("merged", true)
            .with("message", "Pull Request successfully merged"));
  }

  private boolean mergeNow(FakePullRequest pull) throws IOException, InterruptedException {
    String head = github.head(pull);
    if (!pull.mergeState.equals("CLEAN")) {
      return false;
    }
    Optional<String> merged = github.repository.merge(pull.base, head);
    if (merged.isPresent()) {
      pull.headAtEnd = head;
      pull.mergeCommit = merged;
    }
    return merged.isPresent();
  }

  private Reply mergeLater(Seen request, FakePullRequest pull)
      throws IOException, InterruptedException {
    String uuid = "630b9d5e-3f2a-4f7e-8b0c-%012d".formatted(github.nextId());
    boolean done =
        request.json().string("sha").filter(github.head(pull)::equals).isPresent()
            && mergeNow(pull);
    github.merges.put(
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
                    .with("expected_head_sha", github.head(pull))));
  }

  private Reply checks(Seen request, String head) {
    if (github.checksForbidden) {
      return FakeGitHub.error(403, "Resource not accessible by personal access token");
    }
    List<FakeCheckRun> runs = github.checkRuns.getOrDefault(head, List.of());
    return page(
        request,
        runs.stream().map(run -> json.checkRun(run, head)).toList(),
        items -> JsonValue.object().with("total_count", runs.size()).with("check_runs", items));
  }

  private Reply status(Seen request, String head) {
    Map<String, String> states = github.statuses.getOrDefault(head, Map.of());
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
                .with("commit_url", github.api() + "/commit")
                .with("url", github.api() + "/status"));
  }

  private Reply annotations(Seen request, String id) {
    return github
        .run(id)
        .map(run -> page(request, run.annotations().stream().map(json::annotation).toList()))
        .orElse(FakeGitHub.error(404, "Not Found"));
  }

  private Reply runs(Seen request) {
    List<FakeGitHub.WorkflowRun> runs =
        github.workflowRuns.stream()
            .filter(run -> parameter(request, "head_sha").filter(run.head()::equals).isPresent())
            .toList();
    return page(
        request,
        runs.stream().map(json::workflowRun).toList(),
        items -> JsonValue.object().with("total_count", runs.size()).with("workflow_runs", items));
  }

  private Reply rerun(String id) {
    for (int i = 0; i < github.workflowRuns.size(); i++) {
      FakeGitHub.WorkflowRun run = github.workflowRuns.get(i);
      if (Long.toString(run.id()).equals(id)) {
        github.workflowRuns.set(
            i,
            new FakeGitHub.WorkflowRun(run.id(), run.head(), run.conclusion(), run.attempt() + 1));
        return Reply.json(201, JsonValue.object());
      }
    }
    return FakeGitHub.error(404, "Not Found");
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
            .formatted(github.api(), request.path(), others, page + 1, github.api()));
  }

  private static Optional<String> parameter(Seen request, String name) {
    for (String pair : request.query().split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return Optional.of(URLDecoder.decode(pair.substring(name.length() + 1), UTF_8));
      }
    }
    return Optional.empty();
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
}
