package dev.midcourse.hub.boot;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recognises errors after which the process cannot go on: a class that could not be loaded or
 * initialised stays broken, and without memory nothing is sure to be complete. The process then
 * ends at once. Agents outlive it, and the next hub finds them.
 */
public final class FatalErrors {
  /** The exit code of a hub that ended after such an error. */
  public static final int EXIT_CODE = 3;

  private static final int MAX_CAUSES = 16;

  private FatalErrors() {}

  /** Returns whether the failure, or one of its causes, is such an error. */
  static boolean isFatal(@Nullable Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .limit(MAX_CAUSES)
        .anyMatch(FatalErrors::isFatalItself);
  }

  /** A stack overflow concerns one call only. */
  private static boolean isFatalItself(Throwable failure) {
    return failure instanceof LinkageError
        || (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError));
  }

  /** Ends the process from now on if a thread does not catch such an error. */
  public static void endProcessIfUncaught() {
    Thread.UncaughtExceptionHandler previous = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      try {
        report(previous, thread, failure);
      } finally {
        if (isFatal(failure)) {
          endProcess();
        }
      }
    });
  }

  private static void report(
      Thread.@Nullable UncaughtExceptionHandler previous, Thread thread, Throwable failure) {
    if (previous != null) {
      previous.uncaughtException(thread, failure);
      return;
    }
    System.getLogger(FatalErrors.class.getName())
        .log(
            System.Logger.Level.ERROR,
            "Thread " + thread.getName() + " ended because of a failure.",
            failure);
  }

  /** Without the shutdown hooks, which would need the broken classes. */
  static void endProcess() {
    Runtime.getRuntime().halt(EXIT_CODE);
  }
}
