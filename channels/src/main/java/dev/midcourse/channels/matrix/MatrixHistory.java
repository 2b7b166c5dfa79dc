package dev.midcourse.channels.matrix;

import static dev.midcourse.channels.matrix.MatrixClient.part;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Fetches the events of a room that a sync left out. */
final class MatrixHistory {
  private static final int MAX_EVENTS = 20_000;
  private static final int MAX_CHARACTERS = 64_000_000;
  private static final int PAGE = 200;

  private final MatrixClient client;

  MatrixHistory(MatrixClient client) {
    this.client = client;
  }

  /**
   * Events of a time.
   *
   * @param isWhole false if there are more than are fetched; then the newest are here
   */
  record Missing(List<JsonValue.Obj> events, boolean isWhole) {
    Missing {
      events = List.copyOf(events);
    }
  }

  /**
   * Returns the events between two positions, the oldest first.
   *
   * @param from the position before the timeline of the sync
   * @param to the position up to which everything is known
   */
  Missing fetch(String room, String from, String to)
      throws IOException, InterruptedException, RetryLaterException, PermanentFailureException {
    List<JsonValue.Obj> newestFirst = new ArrayList<>();
    long characters = 0;
    Optional<String> at = Optional.of(from);
    while (at.isPresent()) {
      JsonValue.Obj page =
          MatrixClient.require(
              client.get(
                  MatrixSender.roomPath(room)
                      + "/messages?dir=b&limit="
                      + PAGE
                      + "&from="
                      + part(at.get())
                      + "&to="
                      + part(to),
                  MatrixClient.TIMEOUT));
      List<JsonValue.Obj> chunk = page.objects("chunk");
      newestFirst.addAll(chunk);
      characters += chunk.stream().mapToLong(event -> event.toString().length()).sum();
      if (newestFirst.size() >= MAX_EVENTS || characters >= MAX_CHARACTERS) {
        return new Missing(newestFirst.reversed(), false);
      }
      Optional<String> last = at;
      at =
          chunk.isEmpty()
              ? Optional.empty()
              : page.string("end").filter(it -> !last.equals(Optional.of(it)));
    }
    Collections.reverse(newestFirst);
    return new Missing(newestFirst, true);
  }
}
