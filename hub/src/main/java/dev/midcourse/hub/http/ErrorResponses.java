package dev.midcourse.hub.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.ledger.json.JsonCodec;
import java.util.List;
import java.util.Optional;

/** Refusals as HTTP responses: one status for each code, always as problem+json. */
public final class ErrorResponses {
  public static final String CONTENT_TYPE = "application/problem+json";

  private ErrorResponses() {}

  /** A problem in the format of RFC 9457, with code, field and rule. */
  public record Plain(
      String type,
      String title,
      int status,
      String code,
      String field,
      String rule,
      String detail,
      Optional<List<Broken>> errors) {
    public byte[] json() {
      return JsonCodec.write(this).getBytes(UTF_8);
    }
  }

  /** One of several problems of a request. */
  record Broken(String field, String rule, String detail) {}

  /** Returns all problems under the status of the first. */
  static Plain of(RefusedException refused) {
    Plain first = of(refused.problem());
    if (refused.problems().size() < 2) {
      return first;
    }
    List<Broken> all =
        refused.problems().stream()
            .map(problem -> new Broken(problem.field(), problem.rule(), problem.message()))
            .toList();
    return new Plain(
        first.type(),
        first.title(),
        first.status(),
        first.code(),
        first.field(),
        first.rule(),
        refused.description(),
        Optional.of(all));
  }

  static int status(Code code) {
    return switch (code) {
      case INVALID, UNSUPPORTED -> 422;
      case TOO_LARGE -> 413;
      case NOT_FOUND -> 404;
      case FORBIDDEN -> 403;
      case KEY_CONFLICT, WRONG_TURN, DUPLICATE, TOO_LATE -> 409;
      case RUN_ENDED -> 410;
      case LIMIT -> 429;
      case UNAVAILABLE -> 503;
    };
  }

  static Plain of(Problem problem) {
    return of(status(problem.code()), problem);
  }

  /** Returns the problem with a status of HTTP, such as 401. */
  public static Plain of(int status, Problem problem) {
    return plain(status, problem.code().wire(), problem.field(), problem.rule(), problem.message());
  }

  static Plain notFound(String path) {
    return plain(404, Code.NOT_FOUND.wire(), "path", "a path of the API", "unknown path " + path);
  }

  static Plain wrongMethod(String method, String allowed) {
    return plain(
        405,
        "method_not_allowed",
        "method",
        "one of: " + allowed,
        method + " is not allowed here; allowed: " + allowed);
  }

  static Plain wrongMedia() {
    return plain(
        415,
        "unsupported_media_type",
        "content-type",
        "application/json",
        "a body must be sent as content-type: application/json");
  }

  /** Returns an internal error. The log has its details under this reference. */
  static Plain ours(String reference) {
    return plain(
        500, "internal", "", "", "internal error; see the hub log, reference " + reference);
  }

  /** Returns the error of a request that is not valid HTTP. */
  public static Plain malformed(int status, String message) {
    int shown = status >= 400 && status < 600 ? status : 400;
    return shown >= 500
        ? plain(shown, "internal", "", "", "the request failed")
        : plain(shown, "bad_request", "request", "well-formed HTTP/1.1", message);
  }

  private static Plain plain(int status, String code, String field, String rule, String detail) {
    return new Plain(
        "about:blank", title(status), status, code, field, rule, detail, Optional.empty());
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 410 -> "Gone";
      case 413 -> "Content Too Large";
      case 415 -> "Unsupported Media Type";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 503 -> "Service Unavailable";
      default -> status >= 500 ? "Internal Server Error" : "Refused";
    };
  }
}
