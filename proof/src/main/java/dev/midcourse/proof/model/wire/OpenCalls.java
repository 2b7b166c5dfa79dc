package dev.midcourse.proof.model.wire;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The calls of tools in a request that still want their results, and everything that is wrong. */
final class OpenCalls {
  private final Set<String> known = new LinkedHashSet<>();
  private final Set<String> open = new LinkedHashSet<>();
  private final List<String> faults = new ArrayList<>();

  void call(String id) {
    if (!known.add(id)) {
      fault("the call " + id + " stands there twice");
    }
    open.add(id);
  }

  void result(String id) {
    if (!open.remove(id)) {
      fault("a result of " + id + ", which nothing before it called, or which has one already");
    }
  }

  /** Here every call must have its result. */
  void mustBeAnswered(String where) {
    open.forEach(id -> fault("the call " + id + " has no result " + where));
    open.clear();
  }

  void fault(String what) {
    faults.add(what);
  }

  List<String> faults() {
    return List.copyOf(faults);
  }
}
