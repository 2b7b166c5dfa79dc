package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.sandbox.ImageName;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.hub.settings.DatabaseUrl;
import dev.midcourse.hub.settings.HubArguments;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.RedisSettings;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @TempDir Path data;

  private HubSettings file(String toml) throws IOException {
    Files.writeString(data.resolve("midcourse.toml"), toml);
    return SettingsFile.read(data);
  }

  @Test
  void without_a_file_everything_is_as_usual() {
    assertThat(SettingsFile.read(data)).isEqualTo(HubSettings.in(data));
  }

  @Test
  void forges_have_a_kind_an_address_and_one_kind_of_credentials() throws Exception {
    var github =
        file("[forges.github]\nkind = \"github\"\ntoken_command = \"echo x\"").forges().getFirst();
    assertThat(github.api()).hasToString("https://api.github.com");
    assertThat(github.gitHost()).isEqualTo("github.com");
    var work =
        file("[forges.work]\nkind = \"gitlab\"\nurl = \"https://git.example:8443\"\n"
                + "token_file = \"token\"\nquiet = \"2m\"")
            .forges()
            .getFirst();
    assertThat(work.api()).hasToString("https://git.example:8443/api/v4");
    assertThat(work.gitHost()).isEqualTo("git.example:8443");
    assertThat(work.quiet()).hasMinutes(2);
    assertThatThrownBy(() -> file("[forges.x]\nkind = \"gitea\"\ntoken_file = \"t\""))
        .hasMessageContaining("needs url");
    assertThatThrownBy(() -> file("[forges.x]\nkind = \"github\""))
        .hasMessageContaining("one of token_file");
    assertThatThrownBy(() -> file("[forges.x]\nkind = \"github\"\ncredential = \"any\""))
        .hasMessageContaining("gh");
  }

  @Test
  void redis_is_used_in_the_name_of_a_known_group() throws Exception {
    assertThat(file("[redis]\ngroup = \"main\"").redis()).isEmpty();
    RedisSettings redis = file("[redis]\nurl = \"rediss://redis.example\"").redis().orElseThrow();
    assertThat(redis.group()).isEqualTo(GroupName.of("main"));
    assertThat(redis.address()).isEqualTo("redis.example:6379");
    assertThatThrownBy(() -> file("[redis]\nurl = \"redis://x\"\ngroup = \"nobody\""))
        .hasMessageContaining("midcourse.toml:3: ")
        .hasMessageContaining("there is no group nobody");
  }

  @Test
  void the_password_of_redis_is_never_shown() throws Exception {
    String url = "//ada:s3cret@127.0.0.1:6380/2";
    RedisSettings redis = file("[redis]\nurl = \"redis:" + url + "\"").redis().orElseThrow();
    assertThat(redis.url()).isEqualTo("redis:" + url);
    assertThat(redis.toString()).isEqualTo("127.0.0.1:6380 as main");
    assertThatThrownBy(() -> file("[redis]\nurl = \"http:" + url + "\""))
        .hasMessageContaining("redis://user:password@host:6379/0")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void a_file_overrides_the_defaults() throws Exception {
    HubSettings settings =
        file(
            """
            [hub]
            port = 9000
            default_agent = "claude"
            most_running = 7
            database_url = "postgresql://ada@localhost/midcourse"

            [workers.jarvis-worker-1]
            at_once = 3
            """);
    assertThat(settings.port()).contains(9000);
    assertThat(settings.defaultAgent()).contains(AgentName.of("claude"));
    assertThat(settings.maxRunning()).isEqualTo(7);
    assertThat(settings.databaseUrl()).contains("postgresql://ada@localhost/midcourse");
    assertThat(settings.workers().declared(WorkerName.of("jarvis-worker-1")).atOnce()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hub = 5 | hub | 1",
        "[hub]\\nport = 'x' | hub.port | 2",
        "[hub]\\nport = 99999 | hub.port | 2",
        "# a remark\\n\\n[hub]\\ncolour = 1 | hub.colour | 4",
        "[hub]\\n[moon]\\na = 1 | moon | 2",
        "[hub]\\ninsecure = 'yes' | hub.insecure | 2",
        "[hub]\\nport = 1\\nhost = '0.0.0.0' | hub.host | 3",
        "[hub]\\ndefault_agent = 'No Name' | hub.default_agent | 2",
        "[hub]\\npublic_url = 'http://hub.example.org' | hub.public_url | 2",
        "[hub]\\npublic_url = 'https://hub.example.org/below' | hub.public_url | 2",
        "[hub]\\npublic_url = 'https://*.example.org' | hub.public_url | 2",
        "[hub]\\npublic_url = 'https://a@hub.example.org' | hub.public_url | 2",
        "[workers.w]\\nat_twice = 1 | workers.w.at_twice | 2",
        "[workers.'a b']\\nat_once = 1 | workers.\"a b\" | 1",
        "[agents.claude]\\nmodel = 5 | agents.claude.model | 2",
        "[agents.claude]\\ncolour = 5 | agents.claude.colour | 2",
        "[agents.claude]\\nat_once = 0 | agents.claude.at_once | 2",
        "[agents.claude.limits]\\ntime = 'long' | agents.claude.limits.time | 2",
        "[agents.claude.limits]\\ntokens = 0 | agents.claude.limits.tokens | 2",
        "[agents.claude.limits]\\ncost = 0.0 | agents.claude.limits.cost | 2",
        "[agents.claude.limits]\\ncost = nan | agents.claude.limits.cost | 2",
        "[agents.claude.limits]\\ncost = 'much' | agents.claude.limits.cost | 2",
        "[agents.claude.limits]\\ncolour = 1 | agents.claude.limits.colour | 2",
        "[agents.claude]\\narguments = ['a', 5] | agents.claude.arguments | 2",
        "[agents.claude]\\n\\npermissions = 'all' | agents.claude.permissions | 3",
        "[agents.claude]\\nenvironment.A = 5 | agents.claude.environment.A | 2",
        "[agents.claude]\\ndriver = 'magic' | agents.claude.driver | 2",
        "[hub]\\n[agents.mine]\\ncommand = 'mine' | agents.mine | 2",
        "[agents.mine]\\ndriver = 'acp' | agents.mine | 1",
        "[agents.pi]\\nprompt = 'stdin' | agents.pi | 1",
        "[agents.pi]\\ngateway = 'on' | agents.pi | 1",
        "[agents.claude]\\ngateway = 'maybe' | agents.claude.gateway | 2",
        "[agents.Mine]\\ndriver = 'pi' | agents.Mine | 1",
        "[hub]\\nport = 1\\nport = 2 | midcourse.toml | 3",
        "[hub | midcourse.toml | 1"
      })
  void a_wrong_setting_is_refused_with_its_file_line_and_name(String toml, String field, int line) {
    assertThatThrownBy(() -> file(toml.replace("\\n", "\n")))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> {
              assertThat(e.problem().field()).isEqualTo(field);
              assertThat(e)
                  .hasMessageStartingWith(data.resolve("midcourse.toml") + ":" + line + ": ");
              assertThat(e.problem().rule()).isNotBlank();
            });
  }

  @Test
  void the_file_says_when_a_silent_agent_is_quiet_and_when_it_is_stuck() throws Exception {
    HubSettings settings =
        file(
            """
            [watch]
            quiet_after = "2m"
            command_quiet_after = "3h"
            """);
    assertThat(settings.stallPolicy())
        .isEqualTo(
            new StallPolicy(
                Duration.ofMinutes(2),
                Duration.ofMinutes(5),
                Duration.ofHours(3),
                Duration.ofMinutes(30)));
    assertThatThrownBy(() -> file("[watch]\nquiet = \"1m\"\n"))
        .hasMessageContaining("unknown setting watch.quiet");
  }

  @Test
  void an_unknown_setting_is_reported_with_the_known_ones() {
    assertThatThrownBy(() -> file("[workers.w]\nat_twice = 1\n"))
        .hasMessageEndingWith(
            "unknown setting workers.w.at_twice; it must be one of: agent,"
                + " at_once, attempts, branch_prefix, chat_folder, hidden, image, limits, network, pending, readable, sandbox,"
                + " screenshots, unix_sockets, visible, workspace, writable");
  }

  @Test
  void a_worker_is_confined_and_limited_as_its_table_says() throws Exception {
    HubSettings settings =
        file(
            """
            [workers.jarvis-worker-1]
            sandbox = "bwrap"
            network = false
            writable = ["~/.claude", "/srv/cache"]
            hidden = ["/srv/secrets"]
            visible = ["~/.npmrc"]
            unix_sockets = true
            limits = { time = "30m", cost = 1, memory = "4G", processors = 2, processes = 99,
              required = true }
            """);
    WorkerConfig plan = settings.workers().declared(WorkerName.of("jarvis-worker-1"));
    assertThat(plan.confinement())
        .isEqualTo(
            new SandboxSpec(
                new Sandbox.Bubblewrap(
                    false,
                    Sandbox.UnixSockets.ALLOWED,
                    List.of(
                        Path.of(System.getProperty("user.home"), ".claude"), Path.of("/srv/cache")),
                    List.of(Path.of("/srv/secrets")),
                    List.of(Path.of(System.getProperty("user.home"), ".npmrc"))),
                Optional.of(4L << 30),
                Optional.of(2),
                Optional.of(99),
                SandboxSpec.Enforcement.REQUIRED));
    assertThat(plan.limits())
        .isEqualTo(
            new Limits(
                Optional.of(Duration.ofMinutes(30)), Optional.empty(), Optional.of(1_000_000L)));
  }

  @Test
  void a_worker_with_an_image_is_in_a_container_of_it() throws Exception {
    HubSettings settings =
        file(
            """
            [workers."jarvis-worker-*"]
            image = "localhost/worker:1"
            network = false
            unix_sockets = true
            writable = ["/srv/cache"]
            readable = ["/opt/tools"]
            limits = { memory = "4G", processes = 500 }
            """);
    WorkerConfig plan = settings.workers().declared(WorkerName.of("jarvis-worker-7"));
    assertThat(plan.confinement())
        .isEqualTo(
            new SandboxSpec(
                new Sandbox.Container(
                    new ImageName("localhost/worker:1"),
                    false,
                    Sandbox.UnixSockets.ALLOWED,
                    List.of(Path.of("/srv/cache")),
                    List.of(Path.of("/opt/tools")),
                    List.of()),
                Optional.of(4L << 30),
                Optional.empty(),
                Optional.of(500),
                SandboxSpec.Enforcement.BEST_EFFORT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sandbox = \"jail\" | workers.w.sandbox",
        "network = false | only with a sandbox or an image",
        "writable = [\"/a\"] | only with a sandbox or an image",
        "hidden = [\"/a\"] | only with sandbox = \"bwrap\"",
        "image = \"a\"\\nhidden = [\"/a\"] | only with sandbox = \"bwrap\"",
        "visible = [\"/a\"] | only with sandbox = \"bwrap\"",
        "unix_sockets = true | only with a sandbox or an image",
        "sandbox = \"bwrap\"\\nreadable = [\"/a\"] | only with an image",
        "limits.processes = 0 | from 1 to 1000000",
        "sandbox = \"bwrap\"\\nimage = \"a\" | only with sandbox = \"container\"",
        "sandbox = \"container\" | the name of an image",
        "image = \"--privileged\" | the name of an image",
        "sandbox = \"bwrap\"\\nwritable = [\"a\"] | absolute paths",
        "limits.memory = \"much\" | a size such as 512M or 4G",
        "limits.processors = 0 | from 1 to 4096",
        "agent = \"foreign\"\\nsandbox = \"bwrap\" | one that Midcourse starts"
      })
  void a_confinement_that_means_nothing_is_refused(String lines, String words) {
    assertThatThrownBy(() -> file("[workers.w]\n" + lines.replace("\\n", "\n") + "\n"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(words);
  }

  @Test
  void an_agent_is_run_as_its_table_says_and_the_others_with_the_defaults() throws Exception {
    HubSettings settings =
        file(
            """
            [agents.claude]
            command = "/opt/claude"
            arguments = ["--verbose"]
            model = "opus"
            inherit = ["HTTPS_PROXY"]
            home = "own"
            permissions = "bypass"
            blocked_tools = []
            gateway = "on"
            [agents.claude.environment]
            ANTHROPIC_API_KEY = "key"

            [agents.second]
            driver = "pi"
            """);
    assertThat(settings.agentSettings())
        .containsOnly(
            Map.entry(
                AgentName.of("claude"),
                new AgentSettings(
                    Optional.empty(),
                    Optional.of("/opt/claude"),
                    List.of("--verbose"),
                    Optional.of("opus"),
                    Map.of("ANTHROPIC_API_KEY", "key"),
                    Set.of("HTTPS_PROXY"),
                    AgentSettings.Home.OWN,
                    AgentSettings.Permissions.BYPASS,
                    Optional.of(Set.of()),
                    Optional.empty(),
                    AgentSettings.Gateway.ON)),
            Map.entry(AgentName.of("second"), AgentSettings.defaults().withDriver("pi")));
  }

  @Test
  void an_agent_is_held_to_the_limits_of_its_table() throws Exception {
    HubSettings settings =
        file(
            """
            [agents.claude]
            at_once = 4
            [agents.claude.limits]
            time = "2h"
            tokens = 5_000_000
            cost = 2.5

            [agents.pi]
            limits.cost = 10
            """);
    assertThat(settings.agentBounds())
        .containsOnly(
            Map.entry(
                AgentName.of("claude"),
                new AgentQuota(
                    Optional.of(4),
                    new Limits(
                        Optional.of(Duration.ofHours(2)),
                        Optional.of(5_000_000L),
                        Optional.of(2_500_000L)))),
            Map.entry(
                AgentName.of("pi"),
                new AgentQuota(
                    Optional.empty(),
                    new Limits(Optional.empty(), Optional.empty(), Optional.of(10_000_000L)))));
  }

  @Test
  void the_example_in_the_documentation_is_a_settings_file() throws Exception {
    String page =
        Files.readString(
            Path.of(System.getProperty("midcourse.root", ".."), "docs", "configuration.md"));
    String example = page.substring(page.indexOf("```toml\n") + 8);
    HubSettings settings = file(example.substring(0, example.indexOf("```")));
    assertThat(settings.port()).contains(8787);
    assertThat(settings.agents()).isNotEmpty();
    assertThat(settings.workers().workers()).isNotEmpty();
  }

  @Test
  void another_file_can_be_named_and_must_be_there() throws Exception {
    Path other = data.resolve("other.toml");
    Files.writeString(other, "[hub]\nport = 7\n");
    assertThat(HubArguments.parse("--config", other.toString()).settings(data, Map.of()).port())
        .contains(7);
    assertThatThrownBy(() -> HubArguments.parse("--config", data.resolve("none.toml").toString()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("none.toml");
  }

  @Test
  void the_command_line_wins_over_the_environment_and_that_over_the_file() throws Exception {
    HubSettings file = file("[hub]\nport = 9000\ndatabase_url = \"postgresql://file/x\"\n");
    HubSettings settings =
        HubArguments.parse("--port", "0", "--until-idle", "5m")
            .over(file, Map.of("MIDCOURSE_DATABASE_URL", "postgresql://environment/x"));
    assertThat(settings.port()).contains(0);
    assertThat(settings.untilIdle()).contains(Duration.ofMinutes(5));
    assertThat(settings.databaseUrl()).contains("postgresql://environment/x");
    assertThat(HubArguments.parse().over(file, Map.of()).port()).contains(9000);
  }

  @ParameterizedTest
  @CsvSource({"--port", "--port x", "--colour", "--until-idle soon", "serve"})
  void a_wrong_argument_is_refused(String words) {
    assertThatThrownBy(() -> HubArguments.parse(words.split(" ", -1)))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void a_database_is_taken_apart_for_its_driver_and_its_password_is_not_shown() {
    DatabaseUrl url = DatabaseUrl.parse("postgresql://ada:s%40cret@db.example:5433/mid?ssl=true");
    assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://db.example:5433/mid?ssl=true");
    assertThat(url.user()).isEqualTo("ada");
    assertThat(url.password()).isEqualTo("s@cret");
    assertThat(url.toString()).doesNotContain("s@cret").doesNotContain("s%40cret");
    assertThat(DatabaseUrl.parse("jdbc:postgresql://db/mid").jdbc())
        .isEqualTo("jdbc:postgresql://db/mid");
    assertThatThrownBy(() -> DatabaseUrl.parse("mysql://x:secret@db/mid"))
        .isInstanceOf(RefusedException.class)
        .hasMessageNotContaining("secret");
  }
}
