package dev.midcourse.hub.boot;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recognises errors after which the process cannot go on: a class that could not be loaded or
 * initialised stays broken, and without memory nothing is sure to be complete. The process then
 * ends at once. Agents outlive it, and the next hub finds them.
 */
public final class FatalErrors {
  /** The exit code of a hub that ended for such an error. */
  public static final int EXIT_CODE = 3;

  private static final int MAX_CAUSES = 16;

  private FatalErrors() {}

  /** Whether the failure, or one that caused it, is such an error. */
  static boolean isFatal(@Nullable Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .limit(MAX_CAUSES)
        .anyMatch(FatalErrors::breaksTheProcess);
  }

  /** A stack that is too deep is the fault of one call. */
  private static boolean breaksTheProcess(Throwable failure) {
    return failure instanceof LinkageError
        || (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError));
  }

  /** From now on such an error that no thread catches ends the process. */
  public static void endProcessIfUncaught() {
    Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      try {
        report(usual, thread, failure);
      } finally {
        if (isFatal(failure)) {
          endProcess();
        }
      }
    });
  }

  private static void report(
      Thread.@Nullable UncaughtExceptionHandler usual, Thread thread, Throwable failure) {
    if (usual != null) {
      usual.uncaughtException(thread, failure);
      return;
    }
    System.getLogger(FatalErrors.class.getName())
        .log(
            System.Logger.Level.ERROR,
            "Thread " + thread.getName() + " ended because of a failure.",
            failure);
  }

  /** Without the usual end, which would need the classes that are broken. */
  static void endProcess() {
    Runtime.getRuntime().halt(EXIT_CODE);
  }
}
