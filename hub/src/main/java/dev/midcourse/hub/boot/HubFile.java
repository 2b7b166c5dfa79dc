package dev.midcourse.hub.boot;

import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The description of a running hub in {@code hub.json}, for clients. */
public record HubFile(long pid, String url, String version, Instant startedAt) {
  public static final String NAME = "hub.json";

  public String json() {
    return JsonCodec.write(this) + "\n";
  }

  /** Reads the file that the last hub of this folder has written, whether it is alive or not. */
  public static Optional<HubFile> read(Path folder) {
    try {
      JsonNode node = JsonCodec.mapper().readTree(Files.readString(folder.resolve(NAME)));
      return Optional.of(
          new HubFile(
              node.path("pid").asLong(0),
              node.path("url").asString(""),
              node.path("version").asString(""),
              Instant.parse(node.path("started_at").asString(""))));
    } catch (IOException | JacksonException | java.time.DateTimeException unreadable) {
      return Optional.empty();
    }
  }
}
