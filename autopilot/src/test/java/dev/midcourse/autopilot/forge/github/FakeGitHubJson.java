package dev.midcourse.autopilot.forge.github;

import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What GitHub's REST answers look like, with all fields that GitHub's description demands. */
final class FakeGitHubJson {
  static final String TIME = "2026-03-01T10:00:00Z";
  private static final List<String> USER_LINKS =
      List.of(
          "avatar_url",
          "events_url",
          "followers_url",
          "following_url",
          "gists_url",
          "html_url",
          "organizations_url",
          "received_events_url",
          "repos_url",
          "starred_url",
          "subscriptions_url",
          "url");
  private static final List<String> REPOSITORY_LINKS =
      List.of(
          "archive_url",
          "assignees_url",
          "blobs_url",
          "branches_url",
          "collaborators_url",
          "comments_url",
          "commits_url",
          "compare_url",
          "contents_url",
          "contributors_url",
          "deployments_url",
          "downloads_url",
          "events_url",
          "forks_url",
          "git_commits_url",
          "git_refs_url",
          "git_tags_url",
          "hooks_url",
          "html_url",
          "issue_comment_url",
          "issue_events_url",
          "issues_url",
          "keys_url",
          "labels_url",
          "languages_url",
          "merges_url",
          "milestones_url",
          "notifications_url",
          "pulls_url",
          "releases_url",
          "stargazers_url",
          "statuses_url",
          "subscribers_url",
          "subscription_url",
          "tags_url",
          "teams_url",
          "trees_url",
          "url",
          "clone_url",
          "git_url",
          "ssh_url",
          "svn_url");
  private static final JsonValue.Null NULL = new JsonValue.Null();

  private final String base;

  /**
   * @param base the address of the fake, for links
   */
  FakeGitHubJson(String base) {
    this.base = base;
  }

  private String link(String path) {
    return base + path;
  }

  JsonValue user(String login) {
    JsonValue.Obj user =
        JsonValue.object()
            .with("login", login)
            .with("id", Math.abs((long) login.hashCode()) + 1)
            .with("node_id", "U_" + login.hashCode())
            .with("gravatar_id", "")
            .with("site_admin", false)
            .with("type", FakeGitHub.isBot(login) ? "Bot" : "User");
    for (String name : USER_LINKS) {
      user = user.with(name, link("/users/" + login.hashCode()));
    }
    return user;
  }

  JsonValue.Obj repository() {
    JsonValue.Obj repository =
        JsonValue.object()
            .with("id", 1)
            .with("node_id", "R_1")
            .with("name", FakeGitHub.NAME)
            .with("full_name", FakeGitHub.PROJECT)
            .with("owner", user(FakeGitHub.OWNER))
            .with("private", false)
            .with("description", NULL)
            .with("fork", false)
            .with("homepage", NULL)
            .with("language", NULL)
            .with("license", NULL)
            .with("mirror_url", NULL)
            .with("default_branch", "main")
            .with("pushed_at", TIME)
            .with("created_at", TIME)
            .with("updated_at", TIME);
    for (String name :
        List.of(
            "forks",
            "forks_count",
            "open_issues",
            "open_issues_count",
            "size",
            "stargazers_count",
            "watchers",
            "watchers_count",
            "network_count",
            "subscribers_count")) {
      repository = repository.with(name, 0);
    }
    for (String name :
        List.of(
            "has_downloads",
            "has_issues",
            "has_projects",
            "has_wiki",
            "has_pages",
            "has_discussions",
            "archived",
            "disabled")) {
      repository = repository.with(name, false);
    }
    for (String name : REPOSITORY_LINKS) {
      repository = repository.with(name, link("/repos/" + FakeGitHub.PROJECT));
    }
    return repository.with("clone_url", link("/" + FakeGitHub.PROJECT + ".git"));
  }

  /**
   * A pull request.
   *
   * @param whole with the fields that a list leaves out
   */
  JsonValue.Obj pull(FakePullRequest pull, String head, String baseHead, boolean whole) {
    String path = "/repos/" + FakeGitHub.PROJECT + "/pulls/" + pull.number;
    String page = "/" + FakeGitHub.PROJECT + "/pull/" + pull.number;
    JsonValue.Obj links = JsonValue.object();
    for (String name :
        List.of(
            "comments",
            "commits",
            "statuses",
            "html",
            "issue",
            "review_comments",
            "review_comment",
            "self")) {
      links = links.with(name, JsonValue.object().with("href", link(path)));
    }
    List<JsonValue> users = new ArrayList<>();
    pull.requested.stream().filter(name -> !name.contains("/")).forEach(n -> users.add(user(n)));
    List<JsonValue> teams = new ArrayList<>();
    pull.requested.stream().filter(name -> name.contains("/")).forEach(n -> teams.add(team(n)));
    boolean merged = pull.mergeCommit.isPresent();
    JsonValue.Obj all =
        JsonValue.object()
            .with("id", pull.number)
            .with("node_id", "PR_" + pull.number)
            .with("number", pull.number)
            .with("state", pull.closed || merged ? "closed" : "open")
            .with("locked", false)
            .with("title", pull.title)
            .with("body", pull.body.isEmpty() ? NULL : JsonValue.of(pull.body))
            .with("user", user(pull.author))
            .with("draft", pull.draft)
            .with("labels", new JsonValue.Arr(List.of()))
            .with("assignee", NULL)
            .with("milestone", NULL)
            .with("requested_reviewers", new JsonValue.Arr(users))
            .with("requested_teams", new JsonValue.Arr(teams))
            .with("created_at", TIME)
            .with("updated_at", TIME)
            .with("closed_at", pull.closed || merged ? JsonValue.of(TIME) : NULL)
            .with("merged_at", merged ? JsonValue.of(TIME) : NULL)
            .with("merge_commit_sha", orNull(pull.mergeCommit))
            .with("author_association", "OWNER")
            .with("auto_merge", NULL)
            .with("_links", links)
            .with("head", end(pull.branch, head))
            .with("base", end(pull.base, baseHead))
            .with("html_url", link(page));
    for (String name :
        List.of(
            "url",
            "comments_url",
            "commits_url",
            "diff_url",
            "issue_url",
            "patch_url",
            "review_comment_url",
            "review_comments_url",
            "statuses_url")) {
      all = all.with(name, link(path));
    }
    if (!whole) {
      return all;
    }
    return all.with("mergeable", pull.mergeable.<JsonValue>map(JsonValue::of).orElse(NULL))
        .with("mergeable_state", pull.mergeState.toLowerCase(Locale.ROOT))
        .with("merged", merged)
        .with("merged_by", merged ? user(pull.author) : NULL)
        .with("maintainer_can_modify", false)
        .with("comments", pull.comments.size())
        .with("review_comments", pull.threads.size())
        .with("commits", 1)
        .with("additions", 1)
        .with("deletions", 0)
        .with("changed_files", 1);
  }

  private JsonValue.Obj end(String branch, String sha) {
    return JsonValue.object()
        .with("label", FakeGitHub.OWNER + ":" + branch)
        .with("ref", branch)
        .with("sha", sha)
        .with("user", user(FakeGitHub.OWNER))
        .with("repo", repository());
  }

  private JsonValue team(String name) {
    String slug = name.substring(name.indexOf('/') + 1);
    return JsonValue.object()
        .with("id", 1)
        .with("node_id", "T_1")
        .with("name", slug)
        .with("slug", slug)
        .with("description", NULL)
        .with("permission", "push")
        .with("parent", NULL)
        .with("type", "organization")
        .with("url", link("/teams/1"))
        .with("html_url", link("/teams/1"))
        .with("members_url", link("/teams/1/members"))
        .with("repositories_url", link("/teams/1/repos"));
  }

  JsonValue review(FakePullRequest pull, FakePullRequest.Review review) {
    String path = "/repos/" + FakeGitHub.PROJECT + "/pulls/" + pull.number;
    return JsonValue.object()
        .with("id", review.id())
        .with("node_id", "PRR_" + review.id())
        .with("user", user(review.author()))
        .with("body", review.body())
        .with("state", review.state())
        .with("commit_id", orNull(review.head()))
        .with("submitted_at", TIME)
        .with("html_url", link(path))
        .with("pull_request_url", link(path))
        .with("author_association", "NONE")
        .with(
            "_links",
            JsonValue.object()
                .with("html", JsonValue.object().with("href", link(path)))
                .with("pull_request", JsonValue.object().with("href", link(path))));
  }

  JsonValue comment(FakePullRequest pull, FakePullRequest.Comment comment) {
    String path = "/repos/" + FakeGitHub.PROJECT + "/issues/";
    return JsonValue.object()
        .with("id", comment.id)
        .with("node_id", "IC_" + comment.id)
        .with("user", user(comment.author))
        .with("body", comment.body)
        .with("author_association", "NONE")
        .with("created_at", comment.time.toString())
        .with("updated_at", comment.time.toString())
        .with("html_url", link(path + pull.number))
        .with("issue_url", link(path + pull.number))
        .with("url", link(path + "comments/" + comment.id));
  }

  JsonValue threadComment(
      FakePullRequest pull,
      FakePullRequest.FakeThread thread,
      FakePullRequest.Comment comment,
      String head) {
    String path = "/repos/" + FakeGitHub.PROJECT + "/pulls/" + pull.number;
    JsonValue.Obj self = JsonValue.object().with("href", link(path));
    return JsonValue.object()
        .with("id", comment.id)
        .with("node_id", "PRRC_" + comment.id)
        .with("pull_request_review_id", 1)
        .with("diff_hunk", "@@ -1 +1 @@")
        .with("path", thread.path)
        .with("commit_id", head)
        .with("original_commit_id", head)
        .with("user", user(comment.author))
        .with("body", comment.body)
        .with("created_at", comment.time.toString())
        .with("updated_at", comment.time.toString())
        .with("author_association", "NONE")
        .with("url", link(path))
        .with("html_url", link(path))
        .with("pull_request_url", link(path))
        .with(
            "_links",
            JsonValue.object().with("self", self).with("html", self).with("pull_request", self));
  }

  JsonValue checkRun(FakeCheckRun run, String head) {
    String path = "/repos/" + FakeGitHub.PROJECT + "/check-runs/" + run.id();
    return JsonValue.object()
        .with("id", run.id())
        .with("node_id", "CR_" + run.id())
        .with("head_sha", head)
        .with("name", run.name())
        .with("external_id", "")
        .with("url", link(path))
        .with("html_url", link(path))
        .with("details_url", link(path))
        .with("status", run.status())
        .with("conclusion", orNull(run.conclusion()))
        .with("started_at", TIME)
        .with("completed_at", run.conclusion().isPresent() ? JsonValue.of(TIME) : NULL)
        .with("check_suite", JsonValue.object().with("id", 1))
        .with("app", NULL)
        .with("pull_requests", new JsonValue.Arr(List.of()))
        .with(
            "output",
            JsonValue.object()
                .with("title", run.name() + " ended")
                .with("summary", NULL)
                .with("text", NULL)
                .with("annotations_count", run.annotations().size())
                .with("annotations_url", link(path + "/annotations")));
  }

  JsonValue annotation(FakeCheckRun.Annotation annotation) {
    return JsonValue.object()
        .with("path", annotation.path())
        .with("blob_href", link("/blob"))
        .with("start_line", annotation.line())
        .with("end_line", annotation.line())
        .with("start_column", NULL)
        .with("end_column", NULL)
        .with("annotation_level", annotation.level())
        .with("title", NULL)
        .with("message", annotation.message())
        .with("raw_details", NULL);
  }

  JsonValue status(String context, String state) {
    return JsonValue.object()
        .with("id", 1)
        .with("node_id", "SC_1")
        .with("context", context)
        .with("state", state)
        .with("description", "it is " + state)
        .with("target_url", link("/status"))
        .with("avatar_url", NULL)
        .with("url", link("/status"))
        .with("created_at", TIME)
        .with("updated_at", TIME);
  }

  JsonValue workflowRun(FakeGitHub.WorkflowRun run) {
    JsonValue.Obj all =
        JsonValue.object()
            .with("id", run.id())
            .with("node_id", "WFR_" + run.id())
            .with("name", "ci")
            .with("head_branch", "work")
            .with("head_sha", run.head())
            .with("path", ".github/workflows/ci.yml")
            .with("run_number", 1)
            .with("run_attempt", run.attempt())
            .with("display_title", "ci")
            .with("event", "pull_request")
            .with("status", "completed")
            .with("conclusion", run.conclusion())
            .with("workflow_id", 1)
            .with("created_at", TIME)
            .with("updated_at", TIME)
            .with("pull_requests", new JsonValue.Arr(List.of()))
            .with("head_commit", NULL)
            .with("repository", repository())
            .with("head_repository", repository());
    for (String name :
        List.of(
            "url",
            "html_url",
            "jobs_url",
            "logs_url",
            "check_suite_url",
            "cancel_url",
            "rerun_url",
            "artifacts_url",
            "workflow_url")) {
      all = all.with(name, link("/actions/runs/" + run.id()));
    }
    return all;
  }

  JsonValue commit(String sha, List<String> parents) {
    JsonValue.Obj person =
        JsonValue.object().with("name", "Ann").with("email", "ann@example.com").with("date", TIME);
    String path = link("/repos/" + FakeGitHub.PROJECT + "/commits/" + sha);
    return JsonValue.object()
        .with("sha", sha)
        .with("node_id", "C_" + sha)
        .with("url", path)
        .with("html_url", path)
        .with("comments_url", path)
        .with("author", user("ann"))
        .with("committer", user("ann"))
        .with(
            "parents",
            new JsonValue.Arr(
                parents.stream()
                    .<JsonValue>map(
                        parent -> JsonValue.object().with("sha", parent).with("url", path))
                    .toList()))
        .with(
            "commit",
            JsonValue.object()
                .with("author", person)
                .with("committer", person)
                .with("comment_count", 0)
                .with("message", "a change")
                .with("tree", JsonValue.object().with("sha", sha).with("url", path))
                .with("url", path));
  }

  JsonValue installation() {
    return JsonValue.object()
        .with("id", FakeGitHub.INSTALLATION)
        .with("app_id", 1)
        .with("app_slug", "midcourse-test")
        .with("client_id", FakeGitHub.APP)
        .with("target_id", 1)
        .with("target_type", "User")
        .with("single_file_name", NULL)
        .with("repository_selection", "selected")
        .with("events", new JsonValue.Arr(List.of()))
        .with("account", user(FakeGitHub.OWNER))
        .with("permissions", JsonValue.object().with("contents", "write"))
        .with("created_at", TIME)
        .with("updated_at", TIME)
        .with("suspended_by", NULL)
        .with("suspended_at", NULL)
        .with("access_tokens_url", link("/app"))
        .with("html_url", link("/app"))
        .with("repositories_url", link("/app"));
  }

  static JsonValue orNull(Optional<String> text) {
    return text.<JsonValue>map(JsonValue::of).orElse(NULL);
  }
}
