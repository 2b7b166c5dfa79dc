package dev.midcourse.core.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A dispatch or a completion that is sound, and what becomes of it when a field is another. */
record Offered(Map<String, Value> fields) {
  static final List<String> REQUIRED =
      List.of("run_id", "branch", "commit_sha", "files_changed", "test_result", "risk", "pr_url");

  static Offered dispatch() {
    return new Offered(new LinkedHashMap<>())
        .with("run_id", Value.of("run-20260301-042"))
        .with("task_type", Value.of("implement"))
        .with("context_intent", Value.of("fresh"))
        .with("input", Value.of("Handle the null case in the error path."))
        .with("repo", Value.of("acme/shop"))
        .with("branch", Value.of("jarvis-null-case"))
        .with("acceptance_tests", Value.texts(List.of("mvn test")))
        .with("output_contract", Value.fields("required_fields", Value.texts(REQUIRED)));
  }

  static Offered completion() {
    return new Offered(new LinkedHashMap<>())
        .with("run_id", Value.of("run-20260301-042"))
        .with("branch", Value.of("jarvis-null-case"))
        .with("commit_sha", Value.of("1a2b3c4"))
        .with("files_changed", Value.texts(List.of("src/App.java")))
        .with("test_result", Value.of("mvn test: 12 passed"))
        .with("risk", Value.of("low"))
        .with("pr_url", Value.of("https://example.org/acme/shop/pull/7"));
  }

  Offered with(String name, Value value) {
    Map<String, Value> changed = new LinkedHashMap<>(fields);
    changed.put(name, value);
    return new Offered(changed);
  }

  Offered without(String name) {
    Map<String, Value> changed = new LinkedHashMap<>(fields);
    changed.remove(name);
    return new Offered(changed);
  }

  Value.Fields value() {
    return new Value.Fields(fields);
  }
}
