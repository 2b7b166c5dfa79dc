package dev.midcourse.agents.sandbox.seccomp;

import dev.midcourse.agents.sandbox.seccomp.SystemCall.Treatment;
import dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.Processor;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The seccomp profile of a container: the default profile of its runtime, without the calls that
 * {@link SystemCallFilter} forbids. The profile never permits a call that the default profile
 * forbids, except Internet sockets, connected pairs and processes without namespaces, which every
 * program needs.
 *
 * <p>All rules of the default profile for such a call are removed, because the runtime's library
 * ignores rules with arguments if the same call has a rule without them. Calls of another binary
 * interface of the same processor end the process: on 32-bit x86 all socket calls are one call,
 * whose arguments no filter sees.
 */
public final class SystemCallProfile {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final String PERMIT = "SCMP_ACT_ALLOW";
  private static final String FAIL = "SCMP_ACT_ERRNO";

  /** The default actions of a profile that forbids what it does not name. */
  private static final Set<String> REFUSALS =
      Set.of(FAIL, "SCMP_ACT_KILL", "SCMP_ACT_KILL_PROCESS", "SCMP_ACT_KILL_THREAD");

  /** The call of other processors that creates sockets of every kind. */
  private static final String MULTIPLEXED_SOCKET_CALLS = "socketcall";

  private static final int ERRNO_MASK = 0xFFFF;
  private static final long LOWER_HALF = 0xFFFF_FFFFL;

  /** A comparison of some bits of an argument. Runtimes name the mask {@code value}. */
  private record Condition(int argument, long mask, long value) {}

  private final ArrayNode rules;

  private SystemCallProfile(ArrayNode rules) {
    this.rules = rules;
  }

  /**
   * Returns the profile as JSON. Throws with the reason if no profile can be made of the default
   * profile.
   *
   * @param defaults the default profile of the runtime, in the format of Docker
   * @param unixSockets whether the program may create Unix sockets; everything else stays forbidden
   */
  public static String of(String defaults, Processor processor, boolean unixSockets)
      throws IOException {
    ObjectNode profile = parse(defaults);
    if (!REFUSALS.contains(profile.path("defaultAction").asString(""))) {
      throw new IOException("it permits the system calls that it does not name");
    }
    ArrayNode rules = MAPPER.createArrayNode();
    Set<String> treated = treatedNames();
    for (JsonNode rule : profile.path("syscalls")) {
      if (rule instanceof ObjectNode object) {
        addWithout(treated, object, rules);
      }
    }
    new SystemCallProfile(rules).addTreatments(unixSockets);
    profile.set("syscalls", rules);
    profile.remove("archMap");
    profile.putArray("architectures").add(interfaceName(processor));
    return MAPPER.writeValueAsString(profile);
  }

  private static ObjectNode parse(String defaults) throws IOException {
    try {
      if (MAPPER.readTree(defaults) instanceof ObjectNode profile) {
        return profile;
      }
    } catch (JacksonException notJson) {
      throw new IOException("it is not JSON", notJson);
    }
    throw new IOException("it is not a JSON object");
  }

  /**
   * Returns the names that the rules of the default profile lose. {@code ioctl} stays as it is: a
   * container has no terminal of this machine to type into.
   */
  private static Set<String> treatedNames() {
    Set<String> names = new HashSet<>(Set.of(MULTIPLEXED_SOCKET_CALLS));
    for (SystemCall call : SystemCall.values()) {
      if (call.treatment() != Treatment.TERMINAL_REQUESTS) {
        names.add(name(call));
      }
    }
    return names;
  }

  /** Adds the rule with the remaining names, if any remain. */
  private static void addWithout(Set<String> treated, ObjectNode rule, ArrayNode rules) {
    ObjectNode kept = rule.deepCopy();
    JsonNode single = kept.remove("name");
    ArrayNode names = MAPPER.createArrayNode();
    if (single != null && !treated.contains(single.asString(""))) {
      names.add(single);
    }
    for (JsonNode name : rule.path("names")) {
      if (!treated.contains(name.asString(""))) {
        names.add(name);
      }
    }
    if (!names.isEmpty()) {
      kept.set("names", names);
      rules.add(kept);
    }
  }

  private void addTreatments(boolean unixSockets) {
    for (SystemCall call : SystemCall.values()) {
      switch (call.treatment()) {
        case FORBIDDEN -> fail(call, SystemCallFilter.EPERM);
        case ABSENT -> fail(call, SystemCallFilter.ENOSYS);
        case FAMILIES -> addFamilies(call, unixSockets);
        case PAIRS -> addPairs(call, unixSockets);
        case TERMINAL_REQUESTS -> {}
        case NO_NAMESPACES -> permit(call, new Condition(0, SystemCallFilter.NEW_NAMESPACES, 0));
      }
    }
  }

  private void addFamilies(SystemCall call, boolean unixSockets) {
    permit(call, equal(0, SystemCallFilter.AF_INET));
    permit(call, equal(0, SystemCallFilter.AF_INET6));
    permit(call, equal(0, SystemCallFilter.AF_NETLINK), equal(2, SystemCallFilter.NETLINK_ROUTE));
    if (unixSockets) {
      permit(call, equal(0, SystemCallFilter.AF_UNIX));
    } else {
      fail(call, SystemCallFilter.EAFNOSUPPORT, equal(0, SystemCallFilter.AF_UNIX));
    }
  }

  private void addPairs(SystemCall call, boolean unixSockets) {
    Condition family = equal(0, SystemCallFilter.AF_UNIX);
    if (unixSockets) {
      permit(call, family);
      return;
    }
    for (int type : new int[] {SystemCallFilter.SOCK_STREAM, SystemCallFilter.SOCK_SEQPACKET}) {
      permit(call, family, new Condition(1, SystemCallFilter.SOCKET_TYPE_MASK, type));
    }
  }

  /** Compares the half of an argument that the kernel reads as an {@code int}. */
  private static Condition equal(int argument, int value) {
    return new Condition(argument, LOWER_HALF, value);
  }

  private void permit(SystemCall call, Condition... conditions) {
    add(call, PERMIT, conditions);
  }

  private void fail(SystemCall call, int verdict, Condition... conditions) {
    add(call, FAIL, conditions).put("errnoRet", verdict & ERRNO_MASK);
  }

  private ObjectNode add(SystemCall call, String action, Condition... conditions) {
    ObjectNode rule = rules.addObject();
    rule.putArray("names").add(name(call));
    rule.put("action", action);
    ArrayNode arguments = rule.putArray("args");
    for (Condition condition : List.of(conditions)) {
      arguments
          .addObject()
          .put("index", condition.argument())
          .put("value", condition.mask())
          .put("valueTwo", condition.value())
          .put("op", "SCMP_CMP_MASKED_EQ");
    }
    return rule;
  }

  private static String name(SystemCall call) {
    return call.name().toLowerCase(Locale.ROOT);
  }

  private static String interfaceName(Processor processor) {
    return switch (processor) {
      case AMD64 -> "SCMP_ARCH_X86_64";
      case AARCH64 -> "SCMP_ARCH_AARCH64";
    };
  }
}
