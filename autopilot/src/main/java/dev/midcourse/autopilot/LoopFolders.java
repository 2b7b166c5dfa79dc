package dev.midcourse.autopilot;

import dev.midcourse.agents.git.Repository;
import dev.midcourse.agents.git.ReviewCheckout;
import dev.midcourse.agents.git.WorkBranch;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The checkouts of one loop: one for its branch, and one for each review and each run of CI. */
record LoopFolders(Path all, Loop loop) {
  private Path folder() {
    try {
      return Files.createDirectories(all.resolve(loop.id().value())).toRealPath();
    } catch (IOException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              "repo",
              "a folder that can be made",
              "no folder: " + e.getMessage()),
          e);
    }
  }

  private Repository repository() {
    return Repository.at(Path.of(loop.spec().repository()));
  }

  Path work() {
    return folder().resolve("work");
  }

  WorkBranch branch() {
    return new WorkBranch(repository(), work(), loop.spec().branch(), loop.spec().base());
  }

  /** The folder in which the run of a call works. */
  Path of(LoopCall call) {
    return call.kind().isWork()
        ? work()
        : folder().resolve(call.kind().wire() + "-" + call.number());
  }

  /** Makes the checkout of a call that looks at a commit. */
  void create(LoopCall call) {
    String head = call.head().orElseThrow();
    String instructions = call.kind() == CallKind.REVIEW ? loop.base().orElseThrow() : head;
    ReviewCheckout.create(repository(), of(call), head, instructions);
  }

  /** Removes the checkout of a call that looked at a commit. */
  void remove(LoopCall call) {
    ReviewCheckout.remove(repository(), of(call));
  }

  /** Removes all checkouts. The branch stays. */
  void release() {
    for (LoopCall call : loop.calls()) {
      if (!call.kind().isWork() && Files.isDirectory(of(call))) {
        remove(call);
      }
    }
    branch().release();
  }

  boolean hasAny() {
    return Files.isDirectory(all.resolve(loop.id().value()).resolve("work"));
  }
}
