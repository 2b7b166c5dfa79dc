package dev.midcourse.hub.auth;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Keeps sessions as the file of a data folder does, for hubs that start one after the other. */
public record SessionsInMemory(AtomicReference<List<PageSession>> kept)
    implements PageSessions.Store {

  public static SessionsInMemory empty() {
    return new SessionsInMemory(new AtomicReference<>(List.of()));
  }

  @Override
  public List<PageSession> read() {
    return kept.get();
  }

  @Override
  public void write(List<PageSession> sessions) {
    kept.set(List.copyOf(sessions));
  }
}
