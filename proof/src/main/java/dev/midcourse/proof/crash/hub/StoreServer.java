package dev.midcourse.proof.crash.hub;

import java.io.IOException;

/** A server for the ledger of a drill that can be killed. */
public interface StoreServer {
  DrillStore store();

  /** Kills all processes of the server at once. */
  void kill() throws IOException, InterruptedException;

  /** Starts the server again at the same address with its stored data. */
  void comeBack() throws IOException;
}
