package dev.midcourse.autopilot.forge.github;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgeErrors;
import dev.midcourse.autopilot.forge.http.ForgePages;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.autopilot.forge.http.ForgeResponse;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The requests to GitHub for one repository: REST below its path, and GraphQL. */
final class GitHubApi {
  private static final Pattern PROJECT =
      Pattern.compile("([A-Za-z0-9][A-Za-z0-9-_]{0,99})/([A-Za-z0-9._-]{1,100})");
  private static final String PER_PAGE = "per_page=100";

  private final ForgeClient client;
  private final String graphQl;
  private final String owner;
  private final String name;

  /**
   * @param api the base of REST: {@code https://api.github.com}, or {@code https://HOST/api/v3}
   */
  GitHubApi(ForgeClient client, URI api, String project) {
    var parts = PROJECT.matcher(project);
    if (!parts.matches() || parts.group(2).matches("\\.{1,2}")) {
      throw new IllegalArgumentException("a project of GitHub is written OWNER/NAME");
    }
    this.client = client;
    this.owner = parts.group(1);
    this.name = parts.group(2);
    String base = api.toString().replaceAll("/+$", "");
    this.graphQl =
        base.endsWith("/api/v3") ? base.replaceAll("/v3$", "/graphql") : base + "/graphql";
  }

  String owner() {
    return owner;
  }

  String project() {
    return owner + "/" + name;
  }

  private String path(String below) {
    return "/repos/" + owner + "/" + name + below;
  }

  JsonValue.Obj get(String below) throws ForgeException, InterruptedException {
    return client.call(ForgeRequest.get(path(below))).object();
  }

  /** Reads a list whose pages are arrays. */
  ForgePages list(String below) throws ForgeException, InterruptedException {
    return client.pages(paged(below));
  }

  /** Reads a list whose pages are objects with the items in a field. */
  ForgePages list(String below, String field) throws ForgeException, InterruptedException {
    return client.pages(
        paged(below),
        page -> page instanceof JsonValue.Obj object ? object.objects(field) : List.of());
  }

  /** Reads the first page of a list, of a hundred items. */
  List<JsonValue.Obj> firstPage(String below) throws ForgeException, InterruptedException {
    return client.call(ForgeRequest.get(paged(below))).array().objects();
  }

  private String paged(String below) {
    return path(below) + (below.contains("?") ? "&" : "?") + PER_PAGE;
  }

  byte[] tail(String below, int maxBytes, long maxRead)
      throws ForgeException, InterruptedException {
    return client.tail(path(below), maxBytes, maxRead);
  }

  /** Writes; the answer has any status. */
  ForgeResponse write(String method, String below, JsonValue.Obj body)
      throws ForgeException, InterruptedException {
    return client.exchange(ForgeRequest.write(method, path(below), body));
  }

  /** Writes, and throws if the answer is no success. */
  ForgeResponse mustWrite(String method, String below, JsonValue.Obj body)
      throws ForgeException, InterruptedException {
    ForgeResponse answer = write(method, below, body);
    if (!answer.isSuccess()) {
      throw ForgeErrors.of(answer);
    }
    return answer;
  }

  /** The variables that name the repository. */
  JsonValue.Obj repository() {
    return JsonValue.object().with("owner", owner).with("name", name);
  }

  /** The variables that name a pull request. */
  JsonValue.Obj pullRequest(long number) {
    return repository().with("number", number);
  }

  /** Asks for a pull request by a query that takes {@link #pullRequest} as variables. */
  JsonValue.Obj pullRequest(GitHubQuery query, JsonValue.Obj variables)
      throws ForgeException, InterruptedException {
    JsonValue.Obj found = graphQl(query, variables).object("repository").object("pullRequest");
    if (found.fields().isEmpty()) {
      throw new ForgeException(
          new ForgeError.NotFound(query.name() + ": there is no such pull request"));
    }
    return found;
  }

  /**
   * Asks GraphQL and returns its data. An answer with any error is a failure, also if it has data.
   */
  JsonValue.Obj graphQl(GitHubQuery query, JsonValue.Obj variables)
      throws ForgeException, InterruptedException {
    JsonValue.Obj body =
        JsonValue.object().with("query", query.text()).with("variables", variables);
    ForgeRequest request =
        (query.changes()
                ? ForgeRequest.write("POST", graphQl, body)
                : ForgeRequest.query(graphQl, body))
            .withLimit("graphql");
    ForgeResponse answer = client.call(request);
    JsonValue.Obj said = answer.object();
    List<JsonValue.Obj> errors = said.objects("errors");
    if (!errors.isEmpty()) {
      throw failure(query, answer, errors);
    }
    if (said.object("data").fields().isEmpty()) {
      throw new ForgeException(
          new ForgeError.Outage(query.name() + ": GitHub answered without data"), query.changes());
    }
    return said.object("data");
  }

  private ForgeException failure(
      GitHubQuery query, ForgeResponse answer, List<JsonValue.Obj> errors) {
    String message =
        query.name()
            + ": "
            + ForgeErrors.line(
                errors.stream()
                    .flatMap(error -> error.string("message").stream())
                    .collect(Collectors.joining("; ")));
    Optional<String> type = errors.stream().flatMap(e -> e.string("type").stream()).findFirst();
    return switch (type.orElse("")) {
      case "RATE_LIMITED", "RATE_LIMIT" -> client.limited(answer);
      case "FORBIDDEN", "INSUFFICIENT_SCOPES" ->
          new ForgeException(new ForgeError.Forbidden(message));
      case "NOT_FOUND" -> new ForgeException(new ForgeError.NotFound(message));
      case "UNPROCESSABLE", "STALE_DATA" -> new ForgeException(new ForgeError.Conflict(message));
      default -> new ForgeException(new ForgeError.Outage(message), query.changes());
    };
  }
}
