package dev.midcourse.core.contract;

import dev.midcourse.core.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A dispatch or a completion that is sound, and what becomes of it when a field is another. */
record Offered(Map<String, JsonValue> fields) {
  static final List<String> REQUIRED =
      List.of("run_id", "branch", "commit_sha", "files_changed", "test_result", "risk", "pr_url");

  static Offered dispatch() {
    return new Offered(new LinkedHashMap<>())
        .with("run_id", JsonValue.of("run-20260301-042"))
        .with("task_type", JsonValue.of("implement"))
        .with("context_intent", JsonValue.of("fresh"))
        .with("input", JsonValue.of("Handle the null case in the error path."))
        .with("repo", JsonValue.of("acme/shop"))
        .with("branch", JsonValue.of("jarvis-null-case"))
        .with("acceptance_tests", JsonValue.strings(List.of("mvn test")))
        .with(
            "output_contract",
            JsonValue.object().with("required_fields", JsonValue.strings(REQUIRED)));
  }

  static Offered completion() {
    return new Offered(new LinkedHashMap<>())
        .with("run_id", JsonValue.of("run-20260301-042"))
        .with("branch", JsonValue.of("jarvis-null-case"))
        .with("commit_sha", JsonValue.of("1a2b3c4"))
        .with("files_changed", JsonValue.strings(List.of("src/App.java")))
        .with("test_result", JsonValue.of("mvn test: 12 passed"))
        .with("risk", JsonValue.of("low"))
        .with("pr_url", JsonValue.of("https://example.org/acme/shop/pull/7"));
  }

  Offered with(String name, JsonValue value) {
    Map<String, JsonValue> changed = new LinkedHashMap<>(fields);
    changed.put(name, value);
    return new Offered(changed);
  }

  Offered without(String name) {
    Map<String, JsonValue> changed = new LinkedHashMap<>(fields);
    changed.remove(name);
    return new Offered(changed);
  }

  JsonValue.Obj value() {
    return new JsonValue.Obj(fields);
  }
}
