package dev.midcourse.gateway.driver;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.SteerSeen;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.gateway.read.PresentSteer;
import dev.midcourse.gateway.read.SteerPlace;
import dev.midcourse.gateway.record.RequestRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which steers a record proves as seen, each once. A steer in the result of a tool is
 * proved only when the agent itself has shown it. The first main request is the agent's own: a
 * program that a tool starts with the same variables has another session, and its requests prove
 * nothing.
 */
final class SeenEvidence {
  private final Set<SteerId> proved = new HashSet<>();
  private final Set<SteerId> shown = new HashSet<>();
  private final Map<SteerId, String> onlyInResults = new LinkedHashMap<>();
  private Optional<String> session = Optional.empty();

  /** Takes the agent's own report that it has shown a steer. */
  List<AgentEvent> shown(SteerId steer) {
    shown.add(steer);
    return Optional.ofNullable(onlyInResults.remove(steer)).stream()
        .filter(_ -> proved.add(steer))
        .<AgentEvent>map(evidence -> new SteerSeen(steer, evidence))
        .toList();
  }

  List<AgentEvent> of(RequestRecord request) {
    if (!request.proves() || !isOfSession(request)) {
      return List.of();
    }
    List<AgentEvent> events = new ArrayList<>();
    for (PresentSteer present : request.steers()) {
      SteerId steer = present.steer();
      if (present.place() == SteerPlace.TOOL_RESULT && !shown.contains(steer)) {
        onlyInResults.putIfAbsent(steer, request.evidence());
      } else if (proved.add(steer)) {
        events.add(new SteerSeen(steer, request.evidence()));
      }
    }
    return events;
  }

  private boolean isOfSession(RequestRecord request) {
    if (session.isEmpty()) {
      session = request.session();
    }
    return session.equals(request.session());
  }
}
