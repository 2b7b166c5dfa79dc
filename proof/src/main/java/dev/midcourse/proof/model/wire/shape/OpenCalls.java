package dev.midcourse.proof.model.wire.shape;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Tracks the tool calls of a request that have no result yet, and collects the faults. */
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

  /** Adds a fault for every call that has no result at this place. */
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
