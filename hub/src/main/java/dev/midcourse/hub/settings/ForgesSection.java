package dev.midcourse.hub.settings;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.autopilot.forge.github.GhTokenCredential;
import dev.midcourse.autopilot.forge.github.GitHubAppCredential;
import dev.midcourse.autopilot.forge.github.GitHubForge;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeKind;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.hub.settings.channel.SafeUrl;
import dev.midcourse.hub.settings.channel.SecretSources;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The tables {@code [forges.NAME]} of the settings file. No secret is read before it is used. */
final class ForgesSection {
  private static final String NAME = "[a-z][a-z0-9-]{0,39}";
  private static final String CREDENTIAL_RULE =
      "one of token_file, token_command, credential = \"gh\", or app with app_key_file";

  private ForgesSection() {}

  static List<ForgeSettings> read(ConfigSection forges, Path data) {
    List<ForgeSettings> all = new ArrayList<>();
    forges.sectionByName().forEach((name, section) -> all.add(forge(forges, name, section, data)));
    return List.copyOf(all);
  }

  private static ForgeSettings forge(
      ConfigSection forges, String name, ConfigSection section, Path data) {
    if (!name.matches(NAME)) {
      throw refused(forges, name, "name", "lower-case letters, digits and -");
    }
    ForgeKind kind =
        section
            .text("kind", ForgeKind::parse)
            .orElseThrow(
                () -> refused(forges, name, "kind", "github, gitlab, gitea, forgejo or gerrit"));
    URI url =
        section
            .text("url", text -> SafeUrl.of("url", text))
            .or(() -> publicUrl(kind))
            .orElseThrow(() -> refused(forges, name, "url", "the address of the forge"));
    URI api = api(kind, url);
    ForgeSettings settings =
        new ForgeSettings(
            name,
            kind,
            api,
            credentials(forges, name, section, api, url, data),
            section.text("git_host").orElse(hostOf(url)).toLowerCase(Locale.ROOT),
            section
                .text("hook_secret_file")
                .map(file -> section.held("hook_secret_file", () -> secret(file, data))),
            section.duration("ci_grace").orElse(ForgeOrder.DEFAULT_CI_GRACE),
            section.duration("quiet").orElse(ForgeOrder.DEFAULT_QUIET));
    section.noMore();
    return settings;
  }

  private static String secret(String file, Path data) {
    return new SecretSources(data).ofFile(file).reveal();
  }

  private static Optional<URI> publicUrl(ForgeKind kind) {
    return switch (kind) {
      case GITHUB -> Optional.of(URI.create("https://github.com"));
      case GITLAB -> Optional.of(URI.create("https://gitlab.com"));
      case GITEA, FORGEJO, GERRIT -> Optional.empty();
    };
  }

  /** The base of the interface of the forge whose web site has this address. */
  private static URI api(ForgeKind kind, URI url) {
    String base = url.toString().replaceAll("/+$", "");
    return switch (kind) {
      case GITHUB ->
          base.equals("https://github.com")
              ? GitHubForge.PUBLIC_API
              : URI.create(base.endsWith("/api/v3") ? base : base + "/api/v3");
      case GITLAB -> URI.create(base.endsWith("/api/v4") ? base : base + "/api/v4");
      case GITEA, FORGEJO -> URI.create(base.endsWith("/api/v1") ? base : base + "/api/v1");
      case GERRIT -> URI.create(base);
    };
  }

  private static String hostOf(URI url) {
    return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
  }

  private static ForgeSettings.Credentials credentials(
      ConfigSection forges, String name, ConfigSection section, URI api, URI url, Path data) {
    Optional<String> file = section.text("token_file");
    Optional<String> command = section.text("token_command");
    Optional<String> credential = section.text("credential");
    Optional<String> app = section.text("app");
    Optional<String> key = section.text("app_key_file");
    String user = section.text("user").orElse("");
    long ways = Stream.of(file, command, credential, app).filter(Optional::isPresent).count();
    boolean known = credential.filter(it -> !it.equals("gh")).isEmpty();
    if (ways != 1 || !known || app.isPresent() != key.isPresent()) {
      throw refused(forges, name, "token_file", CREDENTIAL_RULE);
    }
    SecretSources secrets = new SecretSources(data);
    if (file.isPresent()) {
      return _ ->
          () -> new ForgeCredential.Secret(user, read(() -> secrets.ofFile(file.get()).reveal()));
    }
    if (command.isPresent()) {
      return _ -> new CommandCredential(user, () -> secrets.ofCommand(command.get()).reveal());
    }
    if (app.isPresent()) {
      return project ->
          new GitHubAppCredential(
              api, app.get(), secrets.ofText(key.orElseThrow()), project, InstantSource.system());
    }
    return _ -> new GhTokenCredential(hostOf(url), System.getenv());
  }

  /** Where a secret comes from. */
  @FunctionalInterface
  interface Source {
    String read();
  }

  static String read(Source source) throws ForgeException {
    try {
      return source.read();
    } catch (RefusedException e) {
      throw new ForgeException(new ForgeError.Unauthorized(e.problem().message()));
    }
  }

  private static RefusedException refused(
      ConfigSection forges, String name, String setting, String rule) {
    return forges.held(
        name,
        () -> {
          throw Problem.invalid(setting, rule, "forges." + name + " needs " + setting + ": " + rule)
              .refused();
        });
  }
}
