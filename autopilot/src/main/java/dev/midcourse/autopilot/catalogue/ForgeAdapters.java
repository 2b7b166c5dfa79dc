package dev.midcourse.autopilot.catalogue;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeAddress;
import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.autopilot.forge.gerrit.GerritForge;
import dev.midcourse.autopilot.forge.gitea.GiteaForge;
import dev.midcourse.autopilot.forge.github.GitHubForge;
import dev.midcourse.autopilot.forge.gitlab.GitLabForge;
import dev.midcourse.autopilot.forge.http.ForgeAuthorization;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.autopilot.forge.http.ForgeClientSettings;
import dev.midcourse.autopilot.forge.http.ForgeHost;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens forges of all kinds. The projects of one forge share its limits and the order of its
 * writes. The clients are closed with the adapters.
 */
public final class ForgeAdapters implements ForgeRegistry.Opener {
  private final InstantSource clock;

  /** Guarded by itself. */
  private final List<ForgeClient> clients = new ArrayList<>();

  /** By the name of the forge in the settings. */
  private final Map<String, ForgeHost> hosts = new ConcurrentHashMap<>();

  public ForgeAdapters(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Forge open(ForgeSettings settings, String project, ForgeCredential credential) {
    ForgeClientSettings asked = clientSettings(settings);
    ForgeHost host =
        hosts.computeIfAbsent(settings.name(), _ -> new ForgeHost(asked.writeInterval(), clock));
    ForgeClient client = new ForgeClient(asked, credential, host);
    synchronized (clients) {
      clients.add(client);
    }
    ForgeAddress address = new ForgeAddress(settings.kind(), settings.api(), project);
    return switch (settings.kind()) {
      case GITHUB -> new GitHubForge(client, settings.api(), project);
      case GITLAB -> new GitLabForge(address, client);
      case GITEA, FORGEJO -> new GiteaForge(address, client);
      case GERRIT -> new GerritForge(address, client);
    };
  }

  private static ForgeClientSettings clientSettings(ForgeSettings settings) {
    return switch (settings.kind()) {
      case GITHUB -> GitHubForge.clientSettings(settings.api());
      case GITLAB -> ForgeClientSettings.of(settings.api(), ForgeAuthorization.PRIVATE_TOKEN);
      case GITEA, FORGEJO -> ForgeClientSettings.of(settings.api(), ForgeAuthorization.TOKEN);
      case GERRIT -> ForgeClientSettings.of(settings.api(), ForgeAuthorization.BASIC);
    };
  }

  @Override
  public void close() {
    synchronized (clients) {
      clients.forEach(ForgeClient::close);
      clients.clear();
    }
  }
}
