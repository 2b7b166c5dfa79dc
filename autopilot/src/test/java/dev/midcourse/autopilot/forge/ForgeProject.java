package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ChangeRef;

/**
 * A new project at a forge with a branch {@code main}, as {@link ForgeSuite} uses it: by the
 * adapter, and by the hands of other people, which do not use the adapter.
 */
public interface ForgeProject extends AutoCloseable {
  /** The adapter, which reaches the forge through {@link #network()}. */
  Forge forge();

  /** The adapter with credentials that the forge does not accept. */
  Forge forgeOfStranger();

  FaultProxy network();

  /** A login that can be asked for a review. It is not the login of Midcourse. */
  String reviewer();

  /** The name under which {@link #report} reports. */
  String check();

  /** Publishes a commit on a branch as the hub does, and returns the head that the forge names. */
  String publish(String branch, String file, String text) throws Exception;

  /** Somebody else adds a commit to the branch of a change. Returns the new head. */
  String pushOfOther(ChangeRef change, String branch, String file, String text) throws Exception;

  /** Somebody else adds a commit to {@code main}. */
  void pushToBase(String file, String text) throws Exception;

  /** The reviewer comments on a line of the head and asks for a change. */
  void requestChange(ChangeRef change, String file, int line, String text) throws Exception;

  /** The reviewer approves the head. */
  void approve(ChangeRef change) throws Exception;

  /** CI reports about a head. */
  void report(ChangeRef change, String head, boolean green) throws Exception;

  /** Somebody else closes the change without merging it. */
  void closeByOther(ChangeRef change) throws Exception;

  /** Somebody else merges the change, which the reviewer has approved. */
  void mergeByOther(ChangeRef change) throws Exception;

  /** Whether a request reads the threads of a change, and is not the first one of a snapshot. */
  boolean readsThreads(FaultProxy.Seen request);

  /** Whether a request changes something at the forge. */
  default boolean writes(FaultProxy.Seen request) {
    return !request.method().equals("GET");
  }

  @Override
  void close() throws Exception;
}
