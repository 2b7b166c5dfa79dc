package dev.midcourse.proof.model;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** A snapshot of the recorded requests of a lane, in the order of their arrival. */
public record Requests(List<RecordedRequest> all) {

  public Requests {
    all = List.copyOf(all);
  }

  public int count() {
    return all.size();
  }

  /** Returns request number n, counted from 1. */
  public RecordedRequest number(int n) {
    if (n < 1 || n > all.size()) {
      throw new IllegalArgumentException("there is no request " + n + " among " + this);
    }
    return all.get(n - 1);
  }

  public RecordedRequest last() {
    return number(all.size());
  }

  /** Returns the number of the first request whose conversation contains this text. */
  public OptionalInt firstContaining(String words) {
    return all.stream()
        .filter(request -> request.contains(words))
        .mapToInt(RecordedRequest::number)
        .findFirst();
  }

  /** Returns one line per request, for messages of failed assertions. */
  @Override
  public String toString() {
    return all.stream().map(Requests::line).collect(Collectors.joining("\n", "requests:\n", ""));
  }

  private static String line(RecordedRequest request) {
    var conversation = request.request().conversation();
    var last = conversation.isEmpty() ? "" : conversation.getLast().text().strip();
    return "%d %s %s, %d messages, last: %s"
        .formatted(
            request.number(),
            request.request().wire(),
            request.outcome(),
            conversation.size(),
            last.length() > 160 ? last.substring(0, 160) + "…" : last);
  }
}
