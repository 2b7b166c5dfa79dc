package dev.midcourse.channels.discord;

import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** The objects of the fake Discord that do not change. */
final class FakeDiscordGuild {
  private FakeDiscordGuild() {}

  static JsonValue.Arr roles() {
    return new JsonValue.Arr(
        List.of(
            role(FakeDiscord.GUILD, "@everyone", false),
            role(FakeDiscord.BOT_ROLE, "midcourse", true)
                .with("tags", JsonValue.object().with("bot_id", FakeDiscord.BOT))));
  }

  private static JsonValue.Obj role(String id, String name, boolean isManaged) {
    return JsonValue.object()
        .with("id", id)
        .with("name", name)
        .with("color", 0)
        .with("colors", JsonValue.object().with("primary_color", 0))
        .with("hoist", false)
        .with("position", 0)
        .with("permissions", "8")
        .with("managed", isManaged)
        .with("mentionable", false)
        .with("flags", 0);
  }

  static JsonValue.Obj json(List<JsonValue> channels, List<JsonValue> threads, JsonValue bot) {
    JsonValue.Arr none = new JsonValue.Arr(List.of());
    return JsonValue.object()
        .with("id", FakeDiscord.GUILD)
        .with("name", "the server")
        .with("icon", new JsonValue.Null())
        .with("splash", new JsonValue.Null())
        .with("discovery_splash", new JsonValue.Null())
        .with("owner_id", FakeDiscord.ANN)
        .with("region", "eu")
        .with("afk_channel_id", new JsonValue.Null())
        .with("afk_timeout", 300)
        .with("verification_level", 0)
        .with("default_message_notifications", 0)
        .with("explicit_content_filter", 0)
        .with("mfa_level", 0)
        .with("nsfw_level", 0)
        .with("premium_tier", 0)
        .with("premium_progress_bar_enabled", false)
        .with("preferred_locale", "en-US")
        .with("system_channel_flags", 0)
        .with("joined_at", "2026-01-01T00:00:00.000000+00:00")
        .with("large", false)
        .with("unavailable", false)
        .with("member_count", 1)
        .with("max_members", 500_000)
        .with("features", none)
        .with("emojis", none)
        .with("stickers", none)
        .with("presences", none)
        .with("voice_states", none)
        .with("stage_instances", none)
        .with("soundboard_sounds", none)
        .with("guild_scheduled_events", none)
        .with("roles", roles())
        .with("members", new JsonValue.Arr(List.of(bot)))
        .with("channels", new JsonValue.Arr(channels))
        .with("threads", new JsonValue.Arr(threads));
  }

  static JsonValue.Obj application(long flags) {
    return JsonValue.object()
        .with("id", FakeDiscord.BOT)
        .with("name", "midcourse")
        .with("icon", new JsonValue.Null())
        .with("description", "")
        .with("bot_public", false)
        .with("bot_require_code_grant", false)
        .with("verify_key", "0")
        .with("flags", flags)
        .with("team", new JsonValue.Null())
        .with("owner", FakeDiscord.user(FakeDiscord.ANN, "ann", false));
  }
}
