package dev.midcourse.hub.settings;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Groups;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.net.URI;
import java.util.Optional;

/**
 * The Redis server whose lists bring steers. Never shows the password.
 *
 * @param url {@code redis://user:password@host:6379/0}, or {@code rediss://} for TLS
 * @param group the group in whose name each steer from Redis is made
 */
public record RedisSettings(String url, GroupName group) {
  private static final String RULE = "redis://user:password@host:6379/0, or rediss:// for TLS";

  public RedisSettings {
    check(url);
  }

  /** The settings of the section, if it names a server. */
  public static Optional<RedisSettings> read(ConfigSection section, Groups groups) {
    Optional<String> url =
        section.text(
            "url",
            text -> {
              check(text);
              return text;
            });
    Optional<GroupName> group = section.text("group", name -> known(groups, name));
    section.noMore();
    return url.map(it -> new RedisSettings(it, group.orElse(GroupName.of("main"))));
  }

  private static GroupName known(Groups groups, String text) {
    GroupName name = GroupName.of(text);
    if (groups.named(name).isEmpty()) {
      throw Problem.invalid(
              "group",
              "main or a group of this file",
              "there is no group " + name + " in this file")
          .refused();
    }
    return name;
  }

  private static void check(String url) {
    try {
      URI uri = URI.create(url);
      boolean scheme = "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme());
      if (!scheme || uri.getHost() == null) {
        throw wrong();
      }
    } catch (IllegalArgumentException e) {
      throw wrong();
    }
  }

  private static RefusedException wrong() {
    return Problem.invalid("url", RULE, "the url of Redis must be like " + RULE).refused();
  }

  /** The address without user and password. */
  public String address() {
    URI uri = URI.create(url);
    return uri.getHost() + ":" + (uri.getPort() < 0 ? 6379 : uri.getPort());
  }

  @Override
  public String toString() {
    return address() + " as " + group;
  }
}
