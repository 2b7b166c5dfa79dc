package dev.midcourse.hub.boot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.hub.auth.PageSession;
import dev.midcourse.hub.auth.PageSessions;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;
import tools.jackson.core.JacksonException;

/**
 * The sessions of browsers in {@code sessions.json}. The file has their public keys and no secret.
 */
public record SessionFile(DataFolder folder) implements PageSessions.Store {
  public static final String NAME = "sessions.json";

  private record Content(List<PageSession> sessions) {}

  @Override
  public List<PageSession> read() {
    try {
      String json = Files.readString(folder.file(NAME), UTF_8);
      return List.copyOf(JsonCodec.mapper().readValue(json, Content.class).sessions());
    } catch (NoSuchFileException nobodySignedIn) {
      return List.of();
    } catch (IOException | JacksonException | NullPointerException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              NAME,
              "the sessions that the hub wrote",
              folder.file(NAME) + " cannot be read; remove it, and sign in again on each browser"),
          e);
    }
  }

  @Override
  public void write(List<PageSession> sessions) throws IOException {
    folder.replace(NAME, JsonCodec.write(new Content(List.copyOf(sessions))) + "\n");
  }
}
