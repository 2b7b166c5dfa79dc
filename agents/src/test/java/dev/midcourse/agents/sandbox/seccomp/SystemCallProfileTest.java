package dev.midcourse.agents.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.Processor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads generated profiles. A real runtime applies one in {@code HostileAgentInPodmanTest}. */
class SystemCallProfileTest {
  private static final String DEFAULTS =
      """
      {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": 38,
        "archMap": [
          {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86", "SCMP_ARCH_X32"]},
          {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": ["SCMP_ARCH_ARM"]}
        ],
        "syscalls": [
          {"names": ["swapon", "nice"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1},
          {"names": ["read", "clone", "clone3", "ioctl", "keyctl", "mount", "socketcall",
              "socketpair", "unshare"], "action": "SCMP_ACT_ALLOW", "args": []},
          {"name": "setns", "action": "SCMP_ACT_ALLOW"},
          {"name": "write", "action": "SCMP_ACT_ALLOW"},
          {"names": ["bpf"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_ADMIN"]}},
          {"names": ["kcmp"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_PTRACE"]}},
          {"names": ["socket"], "action": "SCMP_ACT_ALLOW",
              "args": [{"index": 0, "value": 16, "valueTwo": 0, "op": "SCMP_CMP_NE"}]}
        ]
      }
      """;

  @Test
  void what_the_filter_does_not_treat_stays_as_the_runtime_has_it() throws Exception {
    JsonNode profile = profile(DEFAULTS, false);
    assertThat(profile.path("defaultAction").asString()).isEqualTo("SCMP_ACT_ERRNO");
    assertThat(profile.path("defaultErrnoRet").asInt()).isEqualTo(38);
    assertThat(profile.path("syscalls").get(0).toString())
        .isEqualTo("{'names':['nice'],'action':'SCMP_ACT_ERRNO','errnoRet':1}".replace('\'', '"'));
    assertThat(rules(profile, "read")).containsExactly("SCMP_ACT_ALLOW");
    assertThat(rules(profile, "write")).containsExactly("SCMP_ACT_ALLOW");
    assertThat(rules(profile, "ioctl")).containsExactly("SCMP_ACT_ALLOW");
    assertThat(profile.path("syscalls").toString()).containsOnlyOnce("CAP_").contains("kcmp");
  }

  /** Seen to fail when the rules of the runtime for such a call stay in the profile. */
  @Test
  void sockets_pairs_and_processes_are_permitted_by_their_arguments_only() throws Exception {
    JsonNode profile = profile(DEFAULTS, false);
    assertThat(rules(profile, "socket"))
        .containsExactly(
            "SCMP_ACT_ALLOW 0&ffffffff=2",
            "SCMP_ACT_ALLOW 0&ffffffff=a",
            "SCMP_ACT_ALLOW 0&ffffffff=10 2&ffffffff=0",
            "SCMP_ACT_ERRNO(97) 0&ffffffff=1");
    assertThat(rules(profile, "socketpair"))
        .containsExactly("SCMP_ACT_ALLOW 0&ffffffff=1 1&f=1", "SCMP_ACT_ALLOW 0&ffffffff=1 1&f=5");
    assertThat(rules(profile, "clone")).containsExactly("SCMP_ACT_ALLOW 0&7e020000=0");
    assertThat(rules(profile, "socketcall")).isEmpty();
  }

  @Test
  void a_worker_that_may_have_unix_sockets_gets_these_and_nothing_else() throws Exception {
    JsonNode profile = profile(DEFAULTS, true);
    assertThat(rules(profile, "socket"))
        .containsExactly(
            "SCMP_ACT_ALLOW 0&ffffffff=2",
            "SCMP_ACT_ALLOW 0&ffffffff=a",
            "SCMP_ACT_ALLOW 0&ffffffff=10 2&ffffffff=0",
            "SCMP_ACT_ALLOW 0&ffffffff=1");
    assertThat(rules(profile, "socketpair")).containsExactly("SCMP_ACT_ALLOW 0&ffffffff=1");
    assertThat(rules(profile, "unshare")).containsExactly("SCMP_ACT_ERRNO(1)");
  }

  @ParameterizedTest
  @EnumSource(names = {"UNSHARE", "SETNS", "MOUNT", "KEYCTL", "BPF", "SWAPON", "REBOOT"})
  void forbidden_calls_fail(SystemCall call) throws Exception {
    assertThat(rules(profile(DEFAULTS, false), call.name().toLowerCase(Locale.ROOT)))
        .containsExactly("SCMP_ACT_ERRNO(1)");
  }

  @ParameterizedTest
  @EnumSource(names = {"CLONE3", "IO_URING_SETUP", "IO_URING_ENTER", "IO_URING_REGISTER"})
  void calls_that_programs_can_do_without_do_not_exist(SystemCall call) throws Exception {
    assertThat(rules(profile(DEFAULTS, false), call.name().toLowerCase(Locale.ROOT)))
        .containsExactly("SCMP_ACT_ERRNO(38)");
  }

  /** Seen to fail when the profile keeps the 32-bit interfaces of the runtime's profile. */
  @Test
  void only_the_interface_of_this_processor_is_left() throws Exception {
    JsonNode amd64 = profile(DEFAULTS, false);
    assertThat(amd64.path("architectures").toString()).isEqualTo("[\"SCMP_ARCH_X86_64\"]");
    assertThat(amd64.has("archMap")).isFalse();
    JsonNode aarch64 = parse(SystemCallProfile.of(DEFAULTS, Processor.AARCH64, false));
    assertThat(aarch64.path("architectures").toString()).isEqualTo("[\"SCMP_ARCH_AARCH64\"]");
  }

  /** In such a profile a missing permission would forbid nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"defaultAction\":\"SCMP_ACT_ALLOW\"}",
        "{\"defaultAction\":\"SCMP_ACT_LOG\"}",
        "{}"
      })
  void a_profile_that_permits_what_it_does_not_name_is_not_used(String defaults) {
    assertThatIOException()
        .isThrownBy(() -> profile(defaults, false))
        .withMessage("it permits the system calls that it does not name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{", "unconfined"})
  void what_is_no_profile_is_not_used(String defaults) {
    assertThatIOException()
        .isThrownBy(() -> profile(defaults, false))
        .withMessageStartingWith("it is not ");
  }

  private static JsonNode profile(String defaults, boolean unixSockets) throws IOException {
    return parse(SystemCallProfile.of(defaults, Processor.AMD64, unixSockets));
  }

  private static JsonNode parse(String profile) {
    return JsonMapper.builder().build().readTree(profile);
  }

  /** Returns the action and the masked comparisons of each rule for the call. */
  private static List<String> rules(JsonNode profile, String call) {
    List<String> rules = new ArrayList<>();
    for (JsonNode rule : profile.path("syscalls")) {
      for (JsonNode name : rule.path("names")) {
        if (name.asString().equals(call)) {
          rules.add(text(rule));
        }
      }
    }
    return rules;
  }

  private static String text(JsonNode rule) {
    StringBuilder text = new StringBuilder(rule.path("action").asString());
    if (rule.has("errnoRet")) {
      text.append("(%d)".formatted(rule.path("errnoRet").asInt()));
    }
    for (JsonNode argument : rule.path("args")) {
      assertThat(argument.path("op").asString()).isEqualTo("SCMP_CMP_MASKED_EQ");
      text.append(
          " %d&%x=%x"
              .formatted(
                  argument.path("index").asInt(),
                  argument.path("value").asLong(),
                  argument.path("valueTwo").asLong()));
    }
    return text.toString();
  }
}
