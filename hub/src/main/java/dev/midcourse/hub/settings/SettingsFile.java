package dev.midcourse.hub.settings;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.hub.http.server.PublicUrl;
import dev.midcourse.hub.settings.channel.ChannelsSection;
import dev.midcourse.hub.settings.toml.ConfigFile;
import dev.midcourse.hub.settings.toml.ConfigSection;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import dev.midcourse.hub.settings.worker.WorkersSection;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads {@code midcourse.toml}. Missing settings have their defaults; wrong ones are refused with
 * file, line, setting and rule. The parser is loaded only if there is a file.
 */
public final class SettingsFile {
  public static final String NAME = "midcourse.toml";

  private static final int MAX = 1_000_000;

  private SettingsFile() {}

  /** Returns the settings of a data folder from the file in it. */
  public static HubSettings read(Path data) {
    return read(data, data.resolve(NAME));
  }

  /** Returns the settings of a data folder from this file. */
  public static HubSettings read(Path data, Path file) {
    HubSettings defaults = HubSettings.in(data);
    if (Files.notExists(file)) {
      return defaults;
    }
    ConfigSection all = new ConfigFile(file).read();
    ConfigSection hub = all.section("hub");
    ConfigSection workers = all.section("workers");
    ConfigSection groups = all.section("groups");
    ConfigSection agents = all.section("agents");
    ConfigSection watch = all.section("watch");
    ConfigSection redis = all.section("redis");
    ConfigSection channels = all.section("channels");
    ConfigSection chat = all.section("chat");
    ConfigSection outbox = all.section("outbox");
    ConfigSection forges = all.section("forges");
    all.noMore();
    WorkerRegistry declared = WorkersSection.read(workers, groups);
    return hub(defaults, hub)
        .withSections(
            declared,
            AgentsSection.read(agents),
            stallPolicy(watch),
            RedisSettings.read(redis, declared.groups()),
            ChannelsSection.read(channels, outbox, data),
            ChatSection.read(chat, declared),
            ForgesSection.read(forges, data));
  }

  private static StallPolicy stallPolicy(ConfigSection watch) {
    StallPolicy defaults = StallPolicy.DEFAULT;
    StallPolicy policy =
        new StallPolicy(
            watch.duration("quiet_after").orElse(defaults.quietAfter()),
            watch.duration("tool_quiet_after").orElse(defaults.toolQuietAfter()),
            watch.duration("command_quiet_after").orElse(defaults.commandQuietAfter()),
            watch.duration("stuck_after").orElse(defaults.stuckAfter()));
    watch.noMore();
    return policy;
  }

  private static HubSettings hub(HubSettings defaults, ConfigSection hub) {
    var port = hub.number("port", 0, 65_535);
    var insecure = hub.flag("insecure");
    var database = hub.text("database_url");
    var agent = hub.text("default_agent", AgentName::of);
    var running = hub.number("most_running", 0, MAX);
    var publicUrl = hub.text("public_url", PublicUrl::of);
    var host = hub.text("host");
    var certificate = hub.text("tls_cert", Path::of);
    var key = hub.text("tls_key", Path::of);
    var keepToken = hub.flag("keep_token");
    hub.noMore();
    return hub.held(
        "host",
        () ->
            new HubSettings(
                defaults.data(),
                host.orElse(defaults.host()),
                port,
                insecure.orElse(defaults.insecure()),
                publicUrl,
                HubSettings.tls(defaults.data(), certificate, key),
                defaults.untilIdle(),
                database,
                agent,
                running.orElse(defaults.maxRunning()),
                keepToken.orElse(defaults.keepToken()),
                defaults.workers(),
                defaults.agents(),
                defaults.stallPolicy(),
                defaults.redis(),
                defaults.channels(),
                defaults.chat(),
                defaults.forges()));
  }
}
