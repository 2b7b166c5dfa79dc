package dev.midcourse.hub.http;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.ledger.json.JsonCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** An error that a route can return, for its description. */
public record ErrorResponse(int status, String code, JsonNode example) {

  /** The errors that every route can return. */
  private static final List<Code> ALWAYS =
      List.of(Code.FORBIDDEN, Code.NOT_FOUND, Code.INVALID, Code.LIMIT, Code.UNAVAILABLE);

  /** Returns all errors of a route by status: the common ones, its own, and those of a body. */
  public static List<ErrorResponse> of(Route<?, ?> route) {
    List<Code> codes = new ArrayList<>(ALWAYS);
    codes.addAll(route.refusals());
    List<ErrorResponse> all = new ArrayList<>();
    all.add(like(ErrorResponses.of(401, example(Code.FORBIDDEN))));
    if (route.bodyExample().isPresent()) {
      codes.add(Code.TOO_LARGE);
      all.add(like(ErrorResponses.wrongMedia()));
    }
    codes.stream().distinct().map(code -> like(ErrorResponses.of(example(code)))).forEach(all::add);
    all.sort(Comparator.comparingInt(ErrorResponse::status));
    return all;
  }

  private static ErrorResponse like(ErrorResponses.Plain plain) {
    return new ErrorResponse(plain.status(), plain.code(), JsonCodec.mapper().valueToTree(plain));
  }

  private static Problem example(Code code) {
    return switch (code) {
      case INVALID -> said(code, "limit", "1 to 500", "limit must be 1 to 500");
      case UNSUPPORTED ->
          said(code, "mode", "a mode that the agent supports", "the agent cannot be interrupted");
      case TOO_LARGE -> said(code, "text", "at most 64 KiB", "the text is over 64 KiB");
      case NOT_FOUND -> said(code, "run_id", "a known run", "run fix-42 not found");
      case FORBIDDEN -> said(code, "caller", "read only", "observer bot may not steer run fix");
      case KEY_CONFLICT ->
          said(code, "key", "the same content", "key ada-17 was used with another content");
      case WRONG_TURN -> said(code, "expected_turn", "the turn that runs", "turn 3 runs, not 2");
      case DUPLICATE -> said(code, "run_id", "a new id", "run fix-42 is running already");
      case RUN_ENDED -> said(code, "run_id", "a live run", "run fix-42 has already ended: done");
      case TOO_LATE -> said(code, "steer_id", "a steer that waits", "the agent has it already");
      case LIMIT -> said(code, "rate", "fewer requests per second", "too many requests; slow down");
      case UNAVAILABLE -> said(code, "store", "a store that can write", "the store cannot write");
    };
  }

  private static Problem said(Code code, String field, String rule, String message) {
    return Problem.of(code, field, rule, message);
  }
}
