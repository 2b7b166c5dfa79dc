package dev.midcourse.autopilot.forge.gitlab;

import dev.midcourse.autopilot.forge.fixture.FakeBranches;
import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.fixture.FakeRoutes;
import dev.midcourse.autopilot.forge.fixture.FakeRoutes.Call;
import dev.midcourse.autopilot.forge.gitlab.FakeMergeRequest.Discussion;
import dev.midcourse.autopilot.forge.gitlab.FakeMergeRequest.Note;
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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A GitLab with one project, {@code team/shop}, and what the adapter uses of its interface. Models
 * its traps: the number within the project, pages, a merge status that is found later, drafts by
 * title, discussions that move with their lines, approvals without a commit, a 405 for everything
 * that cannot be merged, a rebase that replaces commits. Each request takes one second of its
 * clock.
 */
final class FakeGitLab implements AutoCloseable {
  static final String PROJECT = "team/shop";
  private static final Map<String, Long> USERS =
      new LinkedHashMap<>(Map.of("midcourse", 2L, "bob", 3L, "ci", 4L));
  private static final Duration STEP = Duration.ofSeconds(1);

  private final FakeHost host;
  private final FakeRoutes routes = new FakeRoutes("/api/v4");

  /** All fields below are guarded by this object. */
  private final FakeBranches branches = new FakeBranches();

  private final Map<Long, FakeMergeRequest> requests = new TreeMap<>();
  private final List<Obj> statuses = new ArrayList<>();
  private final Map<String, Long> pipelines = new LinkedHashMap<>();
  private long ids = 100;
  private Instant now = Instant.parse("2026-01-01T10:00:00Z");

  FakeGitLab() throws IOException {
    addRoutes();
    host = new FakeHost(this::answer);
  }

  URI url() {
    return host.address();
  }

  private synchronized Reply answer(FakeHost.Seen seen) {
    now = now.plus(STEP);
    String given =
        seen.header("private-token").isEmpty()
            ? seen.header("authorization").replace("Bearer ", "")
            : seen.header("private-token");
    String user = given.replaceFirst("-token$", "");
    if (!given.endsWith("-token") || !USERS.containsKey(user)) {
      return error(401, "401 Unauthorized");
    }
    return routes.answer(seen, user);
  }

  private static Reply error(int status, String message) {
    return Reply.json(status, Obj.EMPTY.with("message", message));
  }

  private void addRoutes() {
    String project = "/projects/(?:team%2Fshop|1)";
    String request = project + "/merge_requests/(\\d+)";
    routes.on("GET", "/user", call -> Reply.json(200, user(call.user())));
    routes.on("GET", "/users", this::users);
    routes.on("GET", project, _ -> Reply.json(200, project()));
    routes.on("GET", project + "/merge_requests", this::list);
    routes.on("POST", project + "/merge_requests", this::create);
    routes.on("GET", request, call -> with(call, it -> Reply.json(200, json(it, call))));
    routes.on("PUT", request, call -> with(call, it -> update(it, call)));
    routes.on("GET", request + "/discussions", call -> with(call, it -> discussions(it, call)));
    routes.on("POST", request + "/discussions", call -> with(call, it -> discuss(it, call)));
    routes.on("GET", request + "/discussions/(\\w+)", call -> in(call, it -> shown(call, it)));
    routes.on("PUT", request + "/discussions/(\\w+)", call -> in(call, it -> resolve(call, it)));
    routes.on(
        "POST", request + "/discussions/(\\w+)/notes", call -> in(call, it -> reply(call, it)));
    routes.on("GET", request + "/notes", call -> with(call, it -> notes(it, call)));
    routes.on("POST", request + "/notes", call -> with(call, it -> comment(it, call)));
    routes.on("PUT", request + "/notes/(\\d+)", call -> with(call, it -> editNote(it, call)));
    routes.on("GET", request + "/approvals", call -> with(call, this::approvals));
    routes.on("POST", request + "/approve", call -> with(call, it -> approve(it, call)));
    routes.on("GET", request + "/reviewers", call -> with(call, it -> reviewers(it, call)));
    routes.on("GET", request + "/versions", call -> with(call, it -> versions(it, call)));
    routes.on("GET", request + "/pipelines", call -> with(call, it -> pipelines(it, call)));
    routes.on("PUT", request + "/rebase", call -> with(call, it -> rebase(it)));
    routes.on("PUT", request + "/merge", call -> with(call, it -> merge(it, call)));
    routes.on("GET", project + "/repository/commits/(\\w+)/statuses", this::statuses);
    routes.on("POST", project + "/statuses/(\\w+)", this::report);
    routes.on("POST", project + "/pipelines/(\\d+)/retry", this::retry);
    routes.on(
        "GET", project + "/jobs/(\\d+)/trace", call -> Reply.of(200, "log of " + call.part(0)));
  }

  /** What to do with a merge request. */
  private interface Use {
    Reply apply(FakeMergeRequest request);
  }

  /** What to do with a discussion. */
  private interface InDiscussion {
    Reply apply(Discussion discussion);
  }

  private Reply with(Call call, Use use) {
    FakeMergeRequest request = requests.get(call.number(0));
    return request == null ? error(404, "404 Merge Request Not Found") : use.apply(request);
  }

  private Reply in(Call call, InDiscussion use) {
    return with(
        call,
        request ->
            request.discussions.stream()
                .filter(it -> it.id().equals(call.part(1)))
                .findFirst()
                .map(use::apply)
                .orElseGet(() -> error(404, "404 Discussion Not Found")));
  }

  private String time() {
    return now.toString().replace("Z", ".000Z");
  }

  private long nextId() {
    return ++ids;
  }

  Obj user(String login) {
    return Obj.EMPTY
        .with("id", USERS.getOrDefault(login, 0L))
        .with("username", login)
        .with("name", login)
        .with("state", "active")
        .with("avatar_url", "")
        .with("web_url", url() + "/" + login);
  }

  private Reply users(Call call) {
    List<Obj> found =
        USERS.keySet().stream()
            .filter(it -> it.equals(call.text("username")))
            .map(this::user)
            .toList();
    return call.page(found, "per_page", 20);
  }

  private Obj project() {
    return Obj.EMPTY
        .with("id", 1)
        .with("name", "shop")
        .with("path", "shop")
        .with("path_with_namespace", PROJECT)
        .with("web_url", url() + "/" + PROJECT)
        .with("default_branch", "main")
        .with("archived", false)
        .with(
            "permissions",
            Obj.EMPTY
                .with("project_access", Obj.EMPTY.with("access_level", 30))
                .with("group_access", new Null()));
  }

  private Reply list(Call call) {
    List<Obj> found =
        requests.values().stream()
            .filter(it -> matches(call.text("state"), it.state))
            .filter(it -> matches(call.text("source_branch"), it.source))
            .filter(it -> matches(call.text("target_branch"), it.target))
            .map(it -> basic(it))
            .toList();
    return call.page(found.reversed(), "per_page", 20);
  }

  private static boolean matches(String wanted, String value) {
    return wanted.isEmpty() || wanted.equals("all") || wanted.equals(value);
  }

  private Reply create(Call call) {
    String source = call.text("source_branch");
    String target = call.text("target_branch");
    Optional<FakeMergeRequest> open =
        requests.values().stream()
            .filter(it -> it.state.equals("opened") && it.source.equals(source))
            .filter(it -> it.target.equals(target))
            .findFirst();
    if (open.isPresent()) {
      return Reply.json(
          409,
          Obj.EMPTY.with(
              "message",
              JsonValue.strings(
                  List.of(
                      "Another open merge request already exists for this source branch: !"
                          + open.get().iid))));
    }
    Optional<String> head = branches.head(source);
    if (head.isEmpty()) {
      return Reply.json(
          400,
          Obj.EMPTY.with(
              "message",
              JsonValue.strings(List.of("Source branch \"" + source + "\" is missing"))));
    }
    FakeMergeRequest request =
        new FakeMergeRequest(requests.size() + 1, call.user(), source, target, head.get(), time());
    request.title = call.text("title");
    request.description = call.text("description");
    requests.put(request.iid, request);
    version(request);
    return Reply.json(201, json(request, call));
  }

  private void version(FakeMergeRequest request) {
    String base = branches.mergeBase(request.sha, branches.head(request.target).orElseThrow());
    request.versions.add(new FakeMergeRequest.Version(nextId(), request.sha, base, time()));
  }

  private Reply update(FakeMergeRequest request, Call call) {
    call.values().string("title").ifPresent(it -> request.title = it);
    call.values().string("description").ifPresent(it -> request.description = it);
    call.values().string("target_branch").ifPresent(it -> request.target = it);
    if (call.text("state_event").equals("close") && request.state.equals("opened")) {
      request.state = "closed";
      event(request, call.user(), "closed");
    }
    if (call.values().get("reviewer_ids").orElse(new Null()) instanceof Arr(var ids)) {
      List<String> wanted =
          USERS.entrySet().stream()
              .filter(it -> ids.contains(JsonValue.of(it.getValue())))
              .map(Map.Entry::getKey)
              .toList();
      request.reviewers.keySet().retainAll(wanted);
      wanted.forEach(it -> request.reviewers.putIfAbsent(it, "unreviewed"));
    }
    return Reply.json(200, json(request, call));
  }

  private Obj basic(FakeMergeRequest it) {
    boolean conflicts = it.state.equals("opened") && branches.conflicts(it.source, it.target);
    return Obj.EMPTY
        .with("id", 1000 + it.iid)
        .with("iid", it.iid)
        .with("project_id", 1)
        .with("title", it.title)
        .with("description", it.description)
        .with("state", it.state)
        .with("created_at", it.createdAt)
        .with("updated_at", it.createdAt)
        .with("web_url", url() + "/" + PROJECT + "/-/merge_requests/" + it.iid)
        .with("source_branch", it.source)
        .with("target_branch", it.target)
        .with("source_project_id", 1)
        .with("target_project_id", 1)
        .with("author", user(it.author))
        .with(
            "reviewers",
            new Arr(it.reviewers.keySet().stream().map(login -> (JsonValue) user(login)).toList()))
        .with("draft", it.isDraft())
        .with("work_in_progress", it.isDraft())
        .with("merge_when_pipeline_succeeds", it.autoMerge)
        .with("sha", it.sha)
        .with("has_conflicts", conflicts)
        .with("merge_status", mergeStatus(it, conflicts))
        .with("detailed_merge_status", status(it, conflicts));
  }

  private static String mergeStatus(FakeMergeRequest it, boolean conflicts) {
    return it.checked ? conflicts ? "cannot_be_merged" : "can_be_merged" : "checking";
  }

  private static String status(FakeMergeRequest it, boolean conflicts) {
    if (!it.state.equals("opened")) {
      return "not_open";
    }
    if (!it.checked) {
      return "checking";
    }
    if (it.isDraft()) {
      return "draft_status";
    }
    if (it.reviewers.containsValue("requested_changes")) {
      return "requested_changes";
    }
    return conflicts ? "conflict" : "mergeable";
  }

  /** Finds the merge status after the first question for it. */
  private Obj json(FakeMergeRequest it, Call call) {
    Obj json =
        basic(it)
            .with(
                "diff_refs",
                Obj.EMPTY
                    .with("base_sha", it.versions.getLast().base())
                    .with("head_sha", it.sha)
                    .with("start_sha", it.versions.getLast().base()))
            .with("merge_error", new Null());
    if (call.text("include_diverged_commits_count").equals("true")) {
      json = json.with("diverged_commits_count", branches.behind(it.source, it.target));
    }
    if (call.text("include_rebase_in_progress").equals("true")) {
      json = json.with("rebase_in_progress", it.rebasing);
    }
    it.checked = true;
    if (it.rebasing) {
      it.rebasing = false;
      branches.rebase(it.source, it.target);
      pushed(it.source);
    }
    return json;
  }

  private Reply discussions(FakeMergeRequest request, Call call) {
    return call.page(
        request.discussions.stream().map(it -> request.json(this, it)).toList(), "per_page", 20);
  }

  private Reply discuss(FakeMergeRequest request, Call call) {
    Optional<Obj> position =
        Optional.of(call.values().object("position"))
            .filter(it -> !it.fields().isEmpty())
            .map(it -> it.with("new_line", Long.parseLong(it.text("new_line").orElse("0"))));
    Note note = note(call.user(), call.text("body"), false, position);
    Discussion discussion = discussion(false, note);
    request.discussions.add(discussion);
    request.reviewers.computeIfPresent(call.user(), (_, _) -> "reviewed");
    return Reply.json(201, request.json(this, discussion));
  }

  private Note note(String author, String body, boolean system, Optional<Obj> position) {
    return new Note(nextId(), author, body, system, position, time());
  }

  private Discussion discussion(boolean single, Note note) {
    return new Discussion("%040x".formatted(nextId()), single, new ArrayList<>(List.of(note)));
  }

  private void event(FakeMergeRequest request, String user, String text) {
    request.discussions.add(discussion(true, note(user, text, true, Optional.empty())));
  }

  private Reply shown(Call call, Discussion discussion) {
    return with(call, it -> Reply.json(200, it.json(this, discussion)));
  }

  private Reply resolve(Call call, Discussion discussion) {
    boolean resolved = call.text("resolved").equals("true");
    discussion.notes().forEach(it -> it.resolved = resolved);
    return shown(call, discussion);
  }

  private Reply reply(Call call, Discussion discussion) {
    Note first = discussion.notes().getFirst();
    Note note = note(call.user(), call.text("body"), false, first.position);
    note.resolved = first.resolved;
    discussion.notes().add(note);
    return with(call, it -> Reply.json(201, it.json(this, discussion, note)));
  }

  private Reply notes(FakeMergeRequest request, Call call) {
    List<Obj> notes =
        request.discussions.stream()
            .flatMap(it -> it.notes().stream().map(note -> request.json(this, it, note)))
            .toList();
    return call.page(notes.reversed(), "per_page", 20);
  }

  private Reply comment(FakeMergeRequest request, Call call) {
    String body = call.text("body");
    if (body.startsWith("/request_review @")) {
      request.reviewers.put(body.substring(body.indexOf('@') + 1), "unreviewed");
      return Reply.json(202, Obj.EMPTY.with("commands_changes", Obj.EMPTY));
    }
    Discussion discussion = discussion(true, note(call.user(), body, false, Optional.empty()));
    request.discussions.add(discussion);
    return Reply.json(201, request.json(this, discussion, discussion.notes().getFirst()));
  }

  private Reply editNote(FakeMergeRequest request, Call call) {
    for (Discussion discussion : request.discussions) {
      for (Note note : discussion.notes()) {
        if (note.id == call.number(1)) {
          note.body = call.text("body");
          return Reply.json(200, request.json(this, discussion, note));
        }
      }
    }
    return error(404, "404 Note Not Found");
  }

  private Reply approvals(FakeMergeRequest request) {
    List<JsonValue> approvers = new ArrayList<>();
    request.approvals.forEach(it -> approvers.add(Obj.EMPTY.with("user", user(it))));
    return Reply.json(
        200,
        Obj.EMPTY
            .with("id", 1000 + request.iid)
            .with("iid", request.iid)
            .with("project_id", 1)
            .with("title", request.title)
            .with("description", request.description)
            .with("state", request.state)
            .with("created_at", request.createdAt)
            .with("updated_at", request.createdAt)
            .with("merge_status", mergeStatus(request, false))
            .with("approved", !approvers.isEmpty())
            .with("approvals_required", 0)
            .with("approvals_left", 0)
            .with("approved_by", new Arr(approvers)));
  }

  private Reply approve(FakeMergeRequest request, Call call) {
    String sha = call.text("sha");
    if (!sha.isEmpty() && !sha.equals(request.sha)) {
      return error(409, "SHA does not match HEAD of source branch: " + request.sha);
    }
    request.approvals.add(call.user());
    request.reviewers.computeIfPresent(call.user(), (_, _) -> "approved");
    event(request, call.user(), "approved this merge request");
    Reply approvals = approvals(request);
    return new Reply(201, approvals.body(), approvals.headers());
  }

  private Reply reviewers(FakeMergeRequest request, Call call) {
    List<Obj> reviewers = new ArrayList<>();
    request.reviewers.forEach((login, state) ->
        reviewers.add(
            Obj.EMPTY
                .with("user", user(login))
                .with("state", state)
                .with("created_at", request.createdAt)));
    return call.page(reviewers, "per_page", 20);
  }

  private Reply versions(FakeMergeRequest request, Call call) {
    List<Obj> versions =
        request.versions.stream()
            .map(it ->
                Obj.EMPTY
                    .with("id", it.id())
                    .with("head_commit_sha", it.head())
                    .with("base_commit_sha", it.base())
                    .with("start_commit_sha", it.base())
                    .with("created_at", it.createdAt())
                    .with("merge_request_id", 1000 + request.iid)
                    .with("state", "collected")
                    .with("real_size", "1"))
            .toList();
    return call.page(versions.reversed(), "per_page", 20);
  }

  private Reply pipelines(FakeMergeRequest request, Call call) {
    List<Obj> found = new ArrayList<>();
    for (FakeMergeRequest.Version version : request.versions) {
      Long id = pipelines.get(version.head());
      if (id != null) {
        found.add(pipeline(id, version.head(), request.source));
      }
    }
    return call.page(found.reversed(), "per_page", 20);
  }

  private Obj pipeline(long id, String sha, String ref) {
    List<Obj> jobs =
        statuses.stream().filter(it -> it.number("pipeline_id").orElse(0L) == id).toList();
    return Obj.EMPTY
        .with("id", id)
        .with("iid", id)
        .with("project_id", 1)
        .with("sha", sha)
        .with("ref", ref)
        .with("status", jobs.isEmpty() ? "pending" : jobs.getLast().string("status").orElse(""))
        .with("source", "external")
        .with("created_at", time())
        .with("updated_at", time())
        .with("web_url", url() + "/" + PROJECT + "/-/pipelines/" + id);
  }

  /** The newest status of each name. */
  private Reply statuses(Call call) {
    Map<String, Obj> newest = new LinkedHashMap<>();
    statuses.stream()
        .filter(it -> it.string("sha").orElse("").equals(call.part(0)))
        .forEach(it -> newest.put(it.string("name").orElse(""), it));
    return call.page(List.copyOf(newest.values()), "per_page", 20);
  }

  private Reply report(Call call) {
    String sha = call.part(0);
    long pipeline = pipelines.computeIfAbsent(sha, _ -> nextId());
    Obj status =
        Obj.EMPTY
            .with("id", nextId())
            .with("sha", sha)
            .with("ref", call.values().string("ref").orElse("main"))
            .with("status", call.text("state"))
            .with("name", call.values().string("name").orElse("default"))
            .with("target_url", call.text("target_url"))
            .with("description", call.text("description"))
            .with("created_at", time())
            .with("allow_failure", false)
            .with("pipeline_id", pipeline)
            .with("author", user(call.user()));
    statuses.add(status);
    return Reply.json(201, status);
  }

  private Reply retry(Call call) {
    for (Map.Entry<String, Long> one : pipelines.entrySet()) {
      if (one.getValue() == call.number(0)) {
        statuses.replaceAll(it ->
            it.number("pipeline_id").equals(Optional.of(one.getValue()))
                ? it.with("status", "pending")
                : it);
        return Reply.json(201, pipeline(one.getValue(), one.getKey(), "main"));
      }
    }
    return error(404, "404 Not found");
  }

  private Reply rebase(FakeMergeRequest request) {
    if (!request.state.equals("opened")) {
      return error(403, "403 Forbidden");
    }
    request.rebasing = !branches.conflicts(request.source, request.target);
    return Reply.json(202, Obj.EMPTY.with("rebase_in_progress", true));
  }

  private Reply merge(FakeMergeRequest request, Call call) {
    boolean conflicts =
        request.state.equals("opened") && branches.conflicts(request.source, request.target);
    if (!status(request, conflicts).equals("mergeable")) {
      return error(405, "405 Method Not Allowed");
    }
    if (!call.text("sha").isEmpty() && !call.text("sha").equals(request.sha)) {
      return error(409, "SHA does not match HEAD of source branch: " + request.sha);
    }
    if (call.text("auto_merge").equals("true")) {
      request.autoMerge = true;
      return Reply.json(200, json(request, call));
    }
    branches.merge(request.source, request.target);
    request.state = "merged";
    event(request, call.user(), "merged");
    return Reply.json(200, json(request, call));
  }

  /** Somebody pushes a commit. */
  synchronized String push(String branch, String file, String text) {
    now = now.plus(STEP);
    String head = branches.commit(branch, file, text);
    pushed(branch);
    return head;
  }

  private void pushed(String branch) {
    String head = branches.head(branch).orElseThrow();
    for (FakeMergeRequest request : requests.values()) {
      boolean isOpen = request.state.equals("opened");
      if (isOpen && request.target.equals(branch)) {
        request.checked = false;
      }
      if (isOpen && request.source.equals(branch)) {
        request.sha = head;
        request.checked = false;
        version(request);
        event(request, "midcourse", "added 1 commit");
        request.discussions.forEach(it -> it.notes().forEach(note -> move(note, head)));
      }
    }
  }

  /** Moves a note with its line; a note whose line was changed stays where it was. */
  private void move(Note note, String head) {
    note.position =
        note.position.map(it -> {
          int line = it.number("new_line").orElse(0L).intValue();
          String path = it.string("new_path").orElse("");
          return branches
              .moved(path, line, it.string("head_sha").orElse(head), head)
              .map(at -> it.with("new_line", at).with("head_sha", head))
              .orElse(it);
        });
  }

  /** A reviewer asks for changes, which the interface cannot do. */
  synchronized void requestChanges(long iid, String user) {
    now = now.plus(STEP);
    FakeMergeRequest request = Objects.requireNonNull(requests.get(iid));
    request.reviewers.put(user, "requested_changes");
    event(request, user, "requested changes");
  }

  @Override
  public void close() {
    host.close();
  }
}
