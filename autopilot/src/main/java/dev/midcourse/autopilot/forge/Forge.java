package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeFeature;
import java.util.Optional;
import java.util.Set;

/**
 * One project at one forge. Its methods block, and may be called from several threads; the writes
 * of one host go one after the other.
 */
public interface Forge extends AutoCloseable {

  /** What this forge can do. Reads it from the forge at the first call where versions differ. */
  Set<ForgeFeature> features() throws ForgeException, InterruptedException;

  /**
   * Proves that the credentials are accepted and may write to the project.
   *
   * @return the login that Midcourse has there
   */
  String signIn() throws ForgeException, InterruptedException;

  /**
   * Says how the hub pushes a head, so that the forge shows it in the change of the branch. A forge
   * where the push itself opens the change takes title and text from it.
   */
  default ForgePush push(ForgeAct.Open change, String head)
      throws ForgeException, InterruptedException {
    return ForgePush.toBranch(change.branch());
  }

  /** Finds the open change from a branch into a base. */
  Optional<ChangeRef> find(String branch, String base) throws ForgeException, InterruptedException;

  /** Finds a change by its number. */
  ChangeRef find(String number) throws ForgeException, InterruptedException;

  /**
   * Reads all of a change, for one head. What did not change since the last call costs no limit
   * where the forge has ETags. A page that fails makes the snapshot incomplete; a first page that
   * fails is an exception.
   */
  ChangeSnapshot snapshot(ChangeRef change) throws ForgeException, InterruptedException;

  /** The end of the log of a failed check, at most this many characters; empty if there is none. */
  String log(String check, int maxCharacters) throws ForgeException, InterruptedException;

  /**
   * Writes to the forge. Looks first whether an earlier try was done, and reads back what the
   * forge's answer does not prove. Never throws for what the forge says: that is in the result.
   */
  ForgeActResult perform(ForgeAct act) throws InterruptedException;

  @Override
  void close();
}
