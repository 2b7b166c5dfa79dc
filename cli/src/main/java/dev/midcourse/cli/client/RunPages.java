package dev.midcourse.cli.client;

import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The runs of the hub, the newest first, a page at a time: however many, only one page is held. */
public final class RunPages {
  private static final int PAGE = 500;

  private RunPages() {}

  /**
   * Hands over pages until there are no more runs, or so many were handed over.
   *
   * @param filter further parameters of the query, each with & before it
   */
  public static void each(HubClient hub, String filter, long most, Consumer<List<RunInfo>> to) {
    long left = most;
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
