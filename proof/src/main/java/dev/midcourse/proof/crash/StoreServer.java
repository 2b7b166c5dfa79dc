package dev.midcourse.proof.crash;

import java.io.IOException;

/** A server that keeps the ledger of a drill, and that can be killed. */
public interface StoreServer {
  DrillStore store();

  /** Kills every process of it at once, without a word. */
  void kill() throws IOException, InterruptedException;

  /** Starts it again, at the same place and with what it had kept. */
  void comeBack() throws IOException;
}
