package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.Json;
import dev.midcourse.proof.model.wire.ModelUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A script written as JSON, for a model that is started from a shell:
 *
 * <pre>
 * {"steps": [{"shell": "make test", "saying": "I run the tests."},
 *            {"shell": ["sleep 5", "sleep 9"]},
 *            {"tool": "Read", "arguments": {"file_path": "README.md"}},
 *            {"fail": 529, "times": 2, "retry_after_ms": 100},
 *            {"say": "A long story …", "chunk": 8, "pause_ms": 50, "delay_ms": 1000,
 *             "usage": {"input": 1200, "output": 40, "cache_read": 0, "cache_write": 0}},
 *            {"cut_after": "half a sen"},
 *            {"hang": true}],
 *  "reactions": [{"when_sees": "use tabs", "steps": [{"say": "Tabs it is."}]}],
 *  "at_the_end": {"say": "Done."}}
 * </pre>
 *
 * A mistake is an {@link IllegalArgumentException} that names the place and the rule.
 */
public final class ScriptFile {
  private static final Set<String> ACTIONS =
      Set.of("say", "shell", "tool", "fail", "cut_after", "hang");
  private static final Set<String> DETAILS =
      Set.of(
          "saying",
          "chunk",
          "pause_ms",
          "delay_ms",
          "usage",
          "arguments",
          "times",
          "retry_after_ms");

  private ScriptFile() {}

  public static Script parse(String json) {
    JsonNode root;
    try {
      root = Json.MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("the script is not JSON: " + e.getOriginalMessage(), e);
    }
    only("script", root, Set.of("steps", "reactions", "at_the_end"));
    var script = Script.of(steps("steps", root.path("steps")).toArray(Step[]::new));
    for (int i = 0; i < root.path("reactions").size(); i++) {
      script = reaction("reactions[" + i + "]", root.path("reactions").path(i), script);
    }
    return root.has("at_the_end")
        ? script.atTheEnd(step("at_the_end", root.path("at_the_end")))
        : script;
  }

  private static Script reaction(String place, JsonNode node, Script script) {
    only(place, node, Set.of("when_sees", "steps"));
    var regex = string(place, node, "when_sees");
    try {
      Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw wrong(place + ".when_sees", "is not a regular expression: " + e.getDescription());
    }
    return script.whenSees(regex, steps(place + ".steps", node.path("steps")).toArray(Step[]::new));
  }

  private static List<Step> steps(String place, JsonNode node) {
    if (!node.isArray()) {
      throw wrong(place, "is a list of steps");
    }
    var steps = new ArrayList<Step>();
    for (int i = 0; i < node.size(); i++) {
      steps.add(step(place + "[" + i + "]", node.path(i)));
    }
    return steps;
  }

  private static Step step(String place, JsonNode node) {
    var known = new HashSet<>(ACTIONS);
    known.addAll(DETAILS);
    only(place, node, known);
    var actions = ACTIONS.stream().filter(node::has).toList();
    if (actions.size() != 1) {
      throw wrong(place, "has exactly one of " + ACTIONS.stream().sorted().toList());
    }
    var step =
        switch (actions.getFirst()) {
          case "say" -> detailed(place, node, Step.say(string(place, node, "say"), pace(node)));
          case "shell" -> detailed(place, node, Step.shell(commands(place, node.path("shell"))));
          case "tool" -> detailed(place, node, Step.call(tool(place, node)));
          case "fail" -> fail(place, node);
          case "cut_after" -> Step.cutAfter(string(place, node, "cut_after"));
          default -> Step.hang(new Gate(place));
        };
    return node.has("delay_ms") ? step.after(millis(node, "delay_ms")) : step;
  }

  private static Step.Answer detailed(String place, JsonNode node, Step.Answer answer) {
    var said = node.has("saying") ? answer.saying(string(place, node, "saying")) : answer;
    var usage = node.path("usage");
    if (usage.isMissingNode()) {
      return said;
    }
    only(place + ".usage", usage, Set.of("input", "output", "cache_read", "cache_write"));
    return said.using(
        new ModelUsage(
            usage.path("input").asInt(0),
            usage.path("output").asInt(0),
            usage.path("cache_read").asInt(0),
            usage.path("cache_write").asInt(0)));
  }

  private static Pace pace(JsonNode node) {
    return node.has("chunk")
        ? new Pace(node.path("chunk").asInt(0), millis(node, "pause_ms"))
        : Pace.AT_ONCE;
  }

  private static String[] commands(String place, JsonNode shell) {
    var commands = shell.isString() ? Json.array(shell) : shell;
    if (!commands.isArray()
        || commands.isEmpty()
        || !commands.valueStream().allMatch(JsonNode::isString)) {
      throw wrong(place + ".shell", "is a command or a list of commands");
    }
    return commands.valueStream().map(JsonNode::asString).toArray(String[]::new);
  }

  private static ToolCall tool(String place, JsonNode node) {
    var arguments = node.has("arguments") ? node.path("arguments") : Json.object();
    if (!(arguments instanceof ObjectNode object)) {
      throw wrong(place + ".arguments", "is an object");
    }
    return new ToolCall.Named(string(place, node, "tool"), object);
  }

  private static Step fail(String place, JsonNode node) {
    try {
      var wait =
          node.has("retry_after_ms")
              ? Optional.of(millis(node, "retry_after_ms"))
              : Optional.<Duration>empty();
      return new Step.Fail(node.path("fail").asInt(0), node.path("times").asInt(1), wait);
    } catch (IllegalArgumentException e) {
      throw wrong(place + ".fail", String.valueOf(e.getMessage()));
    }
  }

  private static Duration millis(JsonNode node, String name) {
    return Duration.ofMillis(node.path(name).asLong(0));
  }

  private static String string(String place, JsonNode node, String name) {
    if (!node.path(name).isString()) {
      throw wrong(place + "." + name, "is a text");
    }
    return node.path(name).asString();
  }

  private static void only(String place, JsonNode node, Set<String> known) {
    if (!node.isObject()) {
      throw wrong(place, "is an object");
    }
    for (var name : node.propertyNames()) {
      if (!known.contains(name)) {
        throw wrong(
            place + "." + name, "is not known; known are " + known.stream().sorted().toList());
      }
    }
  }

  private static IllegalArgumentException wrong(String place, String rule) {
    return new IllegalArgumentException(place + " " + rule);
  }
}
