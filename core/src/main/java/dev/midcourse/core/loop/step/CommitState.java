package dev.midcourse.core.loop.step;

import java.util.List;

/**
 * The branch of a loop as git has it, read after an agent worked there.
 *
 * @param commit the newest commit of the branch
 * @param tree the tree of that commit: the same tree is the same code
 * @param onBranch whether the checkout is on the branch of the loop
 * @param continues whether the commit follows the commit that the loop knew
 * @param clean whether everything is committed
 * @param deletedTests the tests of the base that the branch has no more
 * @param conflictMarkers the files in which the branch has left conflict markers
 */
public record CommitState(
    String commit,
    String tree,
    boolean onBranch,
    boolean continues,
    boolean clean,
    List<String> deletedTests,
    List<String> conflictMarkers) {
  public CommitState {
    deletedTests = List.copyOf(deletedTests);
    conflictMarkers = List.copyOf(conflictMarkers);
  }
}
