package dev.midcourse.hub;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.hub.config.ConfigFile;
import dev.midcourse.hub.config.Section;
import dev.midcourse.hub.http.PublicUrl;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads {@code midcourse.toml}. What it does not say stays as usual; what it says wrongly is
 * refused with file, line, setting and rule. The parser is loaded only when there is a file.
 */
public final class SettingsFile {
  public static final String NAME = "midcourse.toml";

  private static final int MOST = 1_000_000;

  private SettingsFile() {}

  /** The settings of a data folder, as the file in it says. */
  public static HubSettings read(Path data) {
    return read(data, data.resolve(NAME));
  }

  /** The settings of a data folder, as this file says. */
  public static HubSettings read(Path data, Path file) {
    HubSettings usual = HubSettings.in(data);
    if (Files.notExists(file)) {
      return usual;
    }
    Section all = new ConfigFile(file).read();
    Section hub = all.section("hub");
    Section workers = all.section("workers");
    Section groups = all.section("groups");
    Section agents = all.section("agents");
    all.noMore();
    return hub(usual, hub)
        .withCrew(CrewSection.read(workers, groups))
        .withAgents(AgentsSection.read(agents));
  }

  private static HubSettings hub(HubSettings usual, Section hub) {
    var port = hub.number("port", 0, 65_535);
    var insecure = hub.flag("insecure");
    var database = hub.text("database_url");
    var agent = hub.text("default_agent", AgentName::of);
    var running = hub.number("most_running", 0, MOST);
    var publicUrl = hub.text("public_url", PublicUrl::of);
    var host = hub.text("host");
    var certificate = hub.text("tls_cert", Path::of);
    var key = hub.text("tls_key", Path::of);
    hub.noMore();
    return hub.held(
        "host",
        () ->
            new HubSettings(
                usual.data(),
                host.orElse(usual.host()),
                port,
                insecure.orElse(usual.insecure()),
                publicUrl,
                HubSettings.tls(usual.data(), certificate, key),
                usual.untilIdle(),
                database,
                agent,
                running.orElse(usual.mostRunning()),
                usual.crew(),
                usual.agents()));
  }
}
