package dev.midcourse.hub.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.json.Examples;
import dev.midcourse.hub.api.json.Requests.EventPageQuery;
import dev.midcourse.hub.api.json.Requests.EventStreamQuery;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.hub.api.operation.RunOperations;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Log.LogEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The HTTP routes of the log: a stream of server-sent events, and pages. Every listener has its own
 * cursor and thread, so a slow one delays no other. A listener that reconnects with its cursor
 * misses nothing and gets nothing twice.
 */
final class EventRoutes {
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final int PAGE_SIZE = 256;
  private static final int DEFAULT_PAGE = 200;
  private static final int MAX_PAGE = 1_000;
  private static final Set<String> KINDS =
      RunEvent.kinds().stream().map(EventKind::of).collect(Collectors.toUnmodifiableSet());

  private static final byte[] RETRY = "retry: 1000\n\n".getBytes(UTF_8);

  private final SseEncoder frames = new SseEncoder();
  private final Log log;
  private final RunOperations runs;
  private final AccessControl accessControl;

  EventRoutes(HubContext context, RunOperations runs) {
    this.log = context.engine().ledger().log();
    this.runs = runs;
    this.accessControl = context.permits();
  }

  List<Route<?, ?>> routes() {
    return List.of(
        Route.get("/api/v1/events", "Everything that happens, as it happens.")
            .with(EventStreamQuery.class)
            .answers(
                200,
                "server-sent events; id is the cursor, event the kind, data the event",
                "text/event-stream",
                Examples.STREAM)
            .by(this::listen),
        Route.get("/api/v1/runs/{run}/events", "What has happened to a run, in pages.")
            .with(EventPageQuery.class)
            .answers(200, "events in order; next goes into after", Examples.EVENTS)
            .by(this::page));
  }

  private ApiResponse listen(ApiCall<Nothing, EventStreamQuery> call) {
    Optional<RunId> run = call.query().run().map(text -> runs.visible(call.caller(), text).id());
    if (run.isEmpty()) {
      accessControl.require(call.caller(), new Action.SeeAll());
    }
    Log.Filter filter =
        new Log.Filter(run, call.query().kind().map(EventRoutes::kinds).orElse(Set.of()));
    long from =
        call.header("last-event-id")
            .map(EventRoutes::cursor)
            .or(() -> call.query().after())
            .orElseGet(log::newest);
    if (from < 0 || from > log.newest()) {
      throw Problem.invalid(
              "after", "0 to " + log.newest(), "the log has no cursor " + from + "; begin with 0")
          .refused();
    }
    return new ApiResponse.Flow(
        "text/event-stream", OptionalLong.empty(), out -> tell(out, from, filter));
  }

  /** Writes events until a write shows that the client is gone. */
  private void tell(OutputStream out, long from, Log.Filter filter)
      throws IOException, InterruptedException {
    say(out, RETRY);
    long cursor = from;
    try (Log.Subscription listening = log.subscribe(filter)) {
      while (true) {
        Log.Page page = listening.await(cursor, PAGE_SIZE, HEARTBEAT);
        cursor = page.next();
        say(out, page.entries().isEmpty() ? comment(cursor) : frames.of(page.entries()));
      }
    }
  }

  /** Returns a comment with the cursor up to which the client has everything. */
  private static byte[] comment(long cursor) {
    return (": " + cursor + "\n\n").getBytes(UTF_8);
  }

  private static void say(OutputStream out, byte[] text) throws IOException {
    out.write(text);
    out.flush();
  }

  private static Set<String> kinds(String text) {
    Set<String> kinds = Arrays.stream(text.split(",", -1)).collect(Collectors.toSet());
    for (String kind : kinds) {
      if (!KINDS.contains(kind)) {
        String names = String.join(", ", KINDS.stream().sorted().toList());
        throw Problem.invalid("kind", "one of: " + names, "there is no kind of event " + kind)
            .refused();
      }
    }
    return kinds;
  }

  private static long cursor(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new RefusedException(
          Problem.invalid("last-event-id", "a cursor", "Last-Event-ID must be a cursor"), e);
    }
  }

  private Log.Page read(Log.Filter filter, EventPageQuery stretch) {
    if (stretch.last().isPresent()) {
      return log.last(filter, pageSize("last", stretch.last().get()));
    }
    long after = stretch.after().orElse(0L);
    if (after < 0) {
      throw Problem.invalid("after", "0 or more", "after must be 0 or more").refused();
    }
    return log.after(after, filter, pageSize("limit", stretch.limit().orElse(DEFAULT_PAGE)));
  }

  private static int pageSize(String field, int size) {
    if (size < 1 || size > MAX_PAGE) {
      throw Problem.invalid(field, "1 to " + MAX_PAGE, field + " must be 1 to " + MAX_PAGE)
          .refused();
    }
    return size;
  }

  private ApiResponse page(ApiCall<Nothing, EventPageQuery> call) {
    RunId run = runs.visible(call.caller(), call.path("run")).id();
    Log.Page page = read(Log.Filter.of(run), call.query());
    StringBuilder json = new StringBuilder("{\"events\":[");
    for (LogEntry entry : page.entries()) {
      if (json.charAt(json.length() - 1) != '[') {
        json.append(',');
      }
      SseEncoder.event(json, entry);
    }
    json.append("],\"next\":").append(page.next()).append('}');
    return new ApiResponse.Bytes(
        200, "application/json", json.toString().getBytes(UTF_8), Map.of());
  }
}
