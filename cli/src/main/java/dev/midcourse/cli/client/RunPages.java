package dev.midcourse.cli.client;

import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the runs of the hub page by page, the newest first. Only one page is in memory. */
public final class RunPages {
  private static final int PAGE = 500;

  private RunPages() {}

  /**
   * Passes pages to the consumer until no more runs exist or {@code limit} runs were passed.
   *
   * @param filter further parameters of the query, each with & before it
   */
  public static void each(HubClient hub, String filter, long limit, Consumer<List<RunInfo>> to) {
    long left = limit;
    Optional<String> next = Optional.of("");
    while (next.isPresent() && left > 0) {
      String older = next.get().isEmpty() ? "" : "&older_than=" + HttpRequest.encoded(next.get());
      JsonValue.Obj page = hub.get("/runs?limit=" + Math.min(PAGE, left) + filter + older);
      List<RunInfo> runs = new ArrayList<>();
      page.objects("runs").stream().limit(left).forEach(run -> runs.add(new RunInfo(run)));
      to.accept(runs);
      left -= runs.size();
      next = page.text("next");
    }
  }
}
