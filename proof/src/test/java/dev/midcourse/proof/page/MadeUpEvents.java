package dev.midcourse.proof.page;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The log of a run as a test makes it up: events at exact times that no test wants to wait for. The
 * page gets them in place of the run's own.
 */
final class MadeUpEvents {
  private final Instant start;
  private final List<String> events = new ArrayList<>();

  MadeUpEvents(Instant start) {
    this.start = start;
  }

  /** Adds an event. The fields are the inside of a JSON object, with ' in place of ". */
  MadeUpEvents at(Duration time, String kind, String fields) {
    events.add(
        "{\"cursor\":%d,\"at\":\"%s\",\"kind\":\"%s\",\"attempt\":1%s}"
            .formatted(
                events.size() + 1,
                start.plus(time),
                kind,
                fields.isEmpty() ? "" : "," + fields.replace('\'', '"')));
    return this;
  }

  /** Answers the page's requests for the events of this run. */
  void serve(Page page, String run) {
    page.route(
        Pattern.compile("/api/v1/runs/" + run + "/events\\?"),
        route -> {
          boolean first = route.request().url().contains("after=0");
          String body = "{\"events\":[" + (first ? String.join(",", events) : "") + "]}";
          route.fulfill(
              new Route.FulfillOptions().setContentType("application/json").setBody(body));
        });
  }
}
