package dev.midcourse.autopilot.forge.gitea;

import dev.midcourse.autopilot.forge.fixture.FakeBranches;
import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.fixture.FakeRoutes;
import dev.midcourse.autopilot.forge.fixture.FakeRoutes.Call;
import dev.midcourse.autopilot.forge.gitea.FakePull.Comment;
import dev.midcourse.autopilot.forge.gitea.FakePull.LineComment;
import dev.midcourse.autopilot.forge.gitea.FakePull.Review;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Null;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A Gitea or Forgejo with one repository, {@code team/shop}, and what the adapter uses of its
 * interface. Models its traps: drafts by title, comments that only their review lists, no threads,
 * replies and resolving only in some versions, a pull request that is not mergeable while it is
 * checked, requests for reviews among the reviews, every status that was ever reported.
 */
final class FakeGitea implements AutoCloseable {
  static final String PROJECT = "team/shop";
  private static final Map<String, Long> USERS =
      new LinkedHashMap<>(Map.of("midcourse", 2L, "bob", 3L, "ci", 4L, "team", 5L));
  private static final Duration STEP = Duration.ofSeconds(1);

  private final FakeHost host;
  private final FakeRoutes routes = new FakeRoutes("/api/v1");
  private final String version;

  /** All fields below are guarded by this object. */
  private final FakeBranches branches = new FakeBranches();

  private final Map<Long, FakePull> pulls = new TreeMap<>();
  private final Map<String, List<Obj>> statuses = new LinkedHashMap<>();
  private long ids = 100;
  private Instant now = Instant.parse("2026-01-01T10:00:00Z");

  /**
   * @param version as the forge names its version
   */
  FakeGitea(String version) throws IOException {
    this.version = version;
    addRoutes(GiteaVersion.parse(version));
    host = new FakeHost(this::answer);
  }

  URI url() {
    return host.address();
  }

  private synchronized Reply answer(FakeHost.Seen seen) {
    now = now.plus(STEP);
    String given = seen.header("authorization").replaceFirst("^(token|Bearer) ", "");
    String user = given.replaceFirst("-token$", "");
    boolean isVersion = seen.path().equals("/api/v1/version");
    if (!isVersion && (!given.endsWith("-token") || !USERS.containsKey(user))) {
      return error(401, "invalid username, password or token");
    }
    return routes.answer(seen, user);
  }

  private Reply error(int status, String message) {
    return Reply.json(
        status, Obj.EMPTY.with("message", message).with("url", url() + "/api/swagger"));
  }

  private void addRoutes(GiteaVersion parsed) {
    String repository = "/repos/team/shop";
    String pull = repository + "/pulls/(\\d+)";
    routes.on("GET", "/version", _ -> Reply.json(200, Obj.EMPTY.with("version", version)));
    routes.on("GET", "/user", call -> Reply.json(200, user(call.user())));
    routes.on("GET", repository, _ -> Reply.json(200, repository()));
    routes.on("GET", repository + "/pulls", this::list);
    routes.on("POST", repository + "/pulls", this::create);
    routes.on("GET", pull, call -> with(call, it -> Reply.json(200, shown(it))));
    routes.on("PATCH", pull, call -> with(call, it -> edit(it, call)));
    routes.on("POST", pull + "/requested_reviewers", call -> with(call, it -> ask(it, call)));
    routes.on("GET", pull + "/reviews", call -> with(call, it -> reviews(it, call)));
    routes.on("POST", pull + "/reviews", call -> with(call, it -> review(it, call)));
    routes.on("GET", pull + "/reviews/(\\d+)/comments", call -> in(call, it -> comments(it, call)));
    routes.on("POST", pull + "/update", call -> with(call, this::update));
    routes.on("POST", pull + "/merge", call -> with(call, it -> merge(it, call)));
    routes.on(
        "GET", repository + "/issues/(\\d+)/comments", call -> with(call, it -> talk(it, call)));
    routes.on(
        "POST", repository + "/issues/(\\d+)/comments", call -> with(call, it -> say(it, call)));
    routes.on("PATCH", repository + "/issues/comments/(\\d+)", this::editComment);
    routes.on("GET", repository + "/commits/(\\w+)/statuses", this::statuses);
    routes.on("POST", repository + "/statuses/(\\w+)", this::report);
    if (parsed.replyWay() == GiteaVersion.ReplyWay.REPLY) {
      routes.on(
          "POST", pull + "/comments/(\\d+)/replies", call -> with(call, it -> reply(it, call)));
    }
    if (parsed.replyWay() == GiteaVersion.ReplyWay.COMMENT_OF_REVIEW) {
      routes.on("POST", pull + "/reviews/(\\d+)/comments", call -> in(call, it -> add(it, call)));
    }
    if (parsed.canResolve()) {
      routes.on("POST", repository + "/pulls/comments/(\\d+)/resolve", this::resolve);
    }
  }

  /** What to do with a pull request. */
  private interface Use {
    Reply apply(FakePull pull);
  }

  /** What to do with a review. */
  private interface InReview {
    Reply apply(Review review);
  }

  private Reply with(Call call, Use use) {
    FakePull pull = pulls.get(call.number(0));
    return pull == null ? error(404, "The target couldn't be found.") : use.apply(pull);
  }

  private Reply in(Call call, InReview use) {
    return with(
        call,
        pull ->
            pull.reviews.stream()
                .filter(it -> it.id() == call.number(1))
                .findFirst()
                .map(use::apply)
                .orElseGet(() -> error(404, "The target couldn't be found.")));
  }

  private String time() {
    return now.toString();
  }

  private long nextId() {
    return ++ids;
  }

  private Obj user(String login) {
    return Obj.EMPTY
        .with("id", USERS.getOrDefault(login, 0L))
        .with("login", login)
        .with("full_name", login)
        .with("email", login + "@example.com")
        .with("avatar_url", "")
        .with("html_url", url() + "/" + login)
        .with("is_admin", false);
  }

  private Obj repository() {
    return Obj.EMPTY
        .with("id", 1)
        .with("owner", user("team"))
        .with("name", "shop")
        .with("full_name", PROJECT)
        .with("html_url", url() + "/" + PROJECT)
        .with("default_branch", "main")
        .with("archived", false)
        .with("default_merge_style", "merge")
        .with("permissions", Obj.EMPTY.with("admin", false).with("push", true).with("pull", true));
  }

  private Reply list(Call call) {
    List<Obj> found =
        pulls.values().stream()
            .filter(it ->
                switch (call.text("state")) {
                  case "all" -> true;
                  case "closed" -> !it.isOpen();
                  default -> it.isOpen();
                })
            .map(this::json)
            .toList();
    return call.page(found.reversed(), "limit", 30);
  }

  private Reply create(Call call) {
    String branch = call.text("head");
    String base = call.text("base");
    boolean exists =
        pulls.values().stream()
            .anyMatch(it -> it.isOpen() && it.branch.equals(branch) && it.base.equals(base));
    if (exists) {
      return error(409, "pull request already exists for these targets");
    }
    Optional<String> head = branches.head(branch);
    if (head.isEmpty()) {
      return error(404, "The target couldn't be found.");
    }
    FakePull pull =
        new FakePull(
            pulls.size() + 1,
            call.user(),
            branch,
            base,
            call.text("title"),
            call.text("body"),
            head.get(),
            time());
    pulls.put(pull.number, pull);
    return Reply.json(201, json(pull));
  }

  /** Finds whether it can be merged after the first question for it. */
  private Obj shown(FakePull pull) {
    Obj json = json(pull);
    pull.checked = true;
    return json;
  }

  private Obj json(FakePull it) {
    String base = branches.head(it.base).orElseThrow();
    boolean mergeable =
        it.isOpen() && it.checked && !it.isDraft() && !branches.conflicts(it.branch, it.base);
    return Obj.EMPTY
        .with("id", 1000 + it.number)
        .with("number", it.number)
        .with("user", user(it.author))
        .with("title", it.title)
        .with("body", it.body)
        .with("state", it.isOpen() ? "open" : "closed")
        .with("draft", it.isDraft())
        .with("is_locked", false)
        .with("comments", it.comments.size())
        .with("html_url", url() + "/" + PROJECT + "/pulls/" + it.number)
        .with("mergeable", mergeable)
        .with("merged", it.merged)
        .with("created_at", it.createdAt)
        .with("updated_at", time())
        .with("merge_base", branches.mergeBase(it.head, base))
        .with(
            "requested_reviewers",
            new Arr(it.requested.stream().map(login -> (JsonValue) user(login)).toList()))
        .with("base", branch(it.base, base))
        .with("head", branch(it.branch, it.head));
  }

  private static Obj branch(String name, String sha) {
    return Obj.EMPTY.with("label", name).with("ref", name).with("sha", sha).with("repo_id", 1);
  }

  private Reply edit(FakePull pull, Call call) {
    call.values().string("title").ifPresent(it -> pull.title = it);
    call.values().string("body").ifPresent(it -> pull.body = it);
    call.values().string("base").ifPresent(it -> pull.base = it);
    if (call.text("state").equals("closed")) {
      if (pull.merged) {
        return error(412, "cannot change state of this pull request, it was already merged");
      }
      pull.closed = true;
    }
    return Reply.json(201, json(pull));
  }

  private Reply ask(FakePull pull, Call call) {
    List<String> wanted = call.values().texts("reviewers");
    for (String login : wanted) {
      if (!USERS.containsKey(login)) {
        return error(404, "user does not exist [uid: 0, name: " + login + "]");
      }
    }
    List<JsonValue> made = new ArrayList<>();
    for (String login : wanted) {
      pull.requested.add(login);
      Review review =
          new Review(nextId(), login, "REQUEST_REVIEW", "", pull.head, time(), new ArrayList<>());
      pull.reviews.add(review);
      made.add(json(review, pull));
    }
    return Reply.json(201, new Arr(made));
  }

  private Obj json(Review it, FakePull pull) {
    return Obj.EMPTY
        .with("id", it.id())
        .with("user", user(it.author()))
        .with("team", new Null())
        .with("state", it.state())
        .with("body", it.body())
        .with("commit_id", it.commit())
        .with("stale", !it.commit().equals(pull.head))
        .with("official", true)
        .with("dismissed", false)
        .with("comments_count", it.comments().size())
        .with("submitted_at", it.createdAt())
        .with("updated_at", it.createdAt())
        .with("html_url", url() + "/" + PROJECT + "/pulls/" + pull.number)
        .with("pull_request_url", url() + "/" + PROJECT + "/pulls/" + pull.number);
  }

  private Reply reviews(FakePull pull, Call call) {
    return call.page(pull.reviews.stream().map(it -> json(it, pull)).toList(), "limit", 30);
  }

  private Reply review(FakePull pull, Call call) {
    String event = call.text("event");
    String commit = call.values().string("commit_id").orElse(pull.head);
    boolean isVerdict = event.equals("APPROVED") || event.equals("REQUEST_CHANGES");
    if (isVerdict && call.user().equals(pull.author)) {
      return error(422, "approve your own pull is not allowed");
    }
    List<Obj> given = call.values().objects("comments");
    if (!isVerdict && given.isEmpty() && call.text("body").isEmpty()) {
      return error(422, "review event COMMENT requires a body or a comment");
    }
    Review review =
        new Review(
            nextId(), call.user(), event, call.text("body"), commit, time(), new ArrayList<>());
    given.forEach(it -> review.comments().add(comment(call.user(), it, commit)));
    pull.reviews.add(review);
    pull.requested.remove(call.user());
    return Reply.json(200, json(review, pull));
  }

  private LineComment comment(String user, Obj given, String commit) {
    long line = given.number("new_position").filter(it -> it > 0).orElse(0L);
    return new LineComment(
        nextId(),
        user,
        given.string("body").orElse(""),
        given.string("path").orElse(""),
        line > 0 ? line : -given.number("old_position").orElse(0L),
        commit,
        time());
  }

  private Obj json(LineComment it, Review review, FakePull pull) {
    return Obj.EMPTY
        .with("id", it.id)
        .with("body", it.body)
        .with("user", user(it.author))
        .with("resolver", it.resolver.isEmpty() ? new Null() : user(it.resolver))
        .with("pull_request_review_id", review.id())
        .with("created_at", it.createdAt)
        .with("updated_at", it.createdAt)
        .with("path", it.path)
        .with("commit_id", it.commit)
        .with("original_commit_id", "")
        .with("diff_hunk", "@@ -0,0 +1 @@")
        .with("position", Math.max(it.line, 0))
        .with("original_position", Math.max(-it.line, 0))
        .with("html_url", url() + "/" + PROJECT + "/pulls/" + pull.number)
        .with("pull_request_url", url() + "/" + PROJECT + "/pulls/" + pull.number);
  }

  private Reply comments(Review review, Call call) {
    return with(
        call,
        pull ->
            Reply.json(
                200,
                new Arr(
                    review.comments().stream()
                        .map(it -> (JsonValue) json(it, review, pull))
                        .toList())));
  }

  private Reply add(Review review, Call call) {
    LineComment comment = comment(call.user(), call.values(), review.commit());
    review.comments().add(comment);
    return with(call, pull -> Reply.json(200, json(comment, review, pull)));
  }

  private Reply reply(FakePull pull, Call call) {
    for (Review review : pull.reviews) {
      for (LineComment comment : List.copyOf(review.comments())) {
        if (comment.id == call.number(1)) {
          LineComment reply =
              new LineComment(
                  nextId(),
                  call.user(),
                  call.text("body"),
                  comment.path,
                  comment.line,
                  comment.commit,
                  time());
          review.comments().add(reply);
          return Reply.json(201, json(reply, review, pull));
        }
      }
    }
    return error(404, "The target couldn't be found.");
  }

  private Reply resolve(Call call) {
    for (FakePull pull : pulls.values()) {
      for (Review review : pull.reviews) {
        for (LineComment comment : review.comments()) {
          if (comment.id == call.number(0)) {
            comment.resolver = call.user();
            return Reply.of(204, "");
          }
        }
      }
    }
    return error(404, "The target couldn't be found.");
  }

  private Reply update(FakePull pull) {
    if (branches.conflicts(pull.branch, pull.base)) {
      return error(409, "merge failed because of conflict");
    }
    branches.merge(pull.base, pull.branch);
    pushed(pull.branch);
    return Reply.of(200, "");
  }

  private Reply merge(FakePull pull, Call call) {
    boolean conflicts = branches.conflicts(pull.branch, pull.base);
    if (!pull.isOpen() || pull.isDraft() || !pull.checked || conflicts) {
      return error(405, "Please try again later");
    }
    String head = call.text("head_commit_id");
    if (!head.isEmpty() && !head.equals(pull.head)) {
      return error(409, "head out of date");
    }
    if (call.text("merge_when_checks_succeed").equals("true")) {
      if (pull.scheduled) {
        return error(409, "pull request is already scheduled to auto merge when checks succeed");
      }
      pull.scheduled = true;
      return Reply.of(201, "");
    }
    branches.merge(pull.branch, pull.base);
    pull.merged = true;
    return Reply.of(200, "");
  }

  private Obj json(Comment it, FakePull pull) {
    return Obj.EMPTY
        .with("id", it.id)
        .with("body", it.body)
        .with("user", user(it.author))
        .with("created_at", it.createdAt)
        .with("updated_at", it.createdAt)
        .with("html_url", url() + "/" + PROJECT + "/pulls/" + pull.number)
        .with("issue_url", "")
        .with("pull_request_url", url() + "/" + PROJECT + "/pulls/" + pull.number);
  }

  private Reply talk(FakePull pull, Call call) {
    return call.page(pull.comments.stream().map(it -> json(it, pull)).toList(), "limit", 1_000);
  }

  private Reply say(FakePull pull, Call call) {
    Comment comment = new Comment(nextId(), call.user(), call.text("body"), time());
    pull.comments.add(comment);
    return Reply.json(201, json(comment, pull));
  }

  private Reply editComment(Call call) {
    for (FakePull pull : pulls.values()) {
      for (Comment comment : pull.comments) {
        if (comment.id == call.number(0)) {
          comment.body = call.text("body");
          return Reply.json(200, json(comment, pull));
        }
      }
    }
    return error(404, "The target couldn't be found.");
  }

  private Reply statuses(Call call) {
    return call.page(statuses.getOrDefault(call.part(0), List.of()).reversed(), "limit", 30);
  }

  private Reply report(Call call) {
    Obj status =
        Obj.EMPTY
            .with("id", nextId())
            .with("status", call.text("state"))
            .with("context", call.values().string("context").orElse("default"))
            .with("description", call.text("description"))
            .with("target_url", call.text("target_url"))
            .with("url", url() + "/api/v1/repos/team/shop/statuses/" + call.part(0))
            .with("creator", user(call.user()))
            .with("created_at", time())
            .with("updated_at", time());
    statuses.computeIfAbsent(call.part(0), _ -> new ArrayList<>()).add(status);
    return Reply.json(201, status);
  }

  /** Somebody pushes a commit. */
  synchronized String push(String branch, String file, String text) {
    now = now.plus(STEP);
    String head = branches.commit(branch, file, text);
    pushed(branch);
    return head;
  }

  private void pushed(String branch) {
    for (FakePull pull : pulls.values()) {
      if (pull.isOpen() && pull.branch.equals(branch)) {
        pull.head = branches.head(branch).orElseThrow();
        pull.checked = false;
      }
      if (pull.isOpen() && pull.base.equals(branch)) {
        pull.checked = false;
      }
    }
  }

  @Override
  public void close() {
    host.close();
  }
}
