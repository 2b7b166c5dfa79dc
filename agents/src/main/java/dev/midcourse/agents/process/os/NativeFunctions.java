package dev.midcourse.agents.process.os;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.Set;

/**
 * Calls functions of the C library on Linux. Linking one type of function costs about 20 ms in a
 * hub that has just started, so all functions are called with one type. They take numbers and
 * addresses. All supported architectures pass {@code int}, {@code long} and pointers in the same
 * way, named or variadic. A function ignores arguments that it does not declare.
 */
@SuppressWarnings("restricted")
public final class NativeFunctions {
  private static final Set<String> KNOWN = Set.of("amd64", "x86_64", "aarch64", "riscv64");

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle CALL =
      LINKER.downcallHandle(
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.captureCallState("errno"),
          Linker.Option.firstVariadicArg(2));

  private NativeFunctions() {}

  /** Returns whether this is a Linux system on a supported architecture. */
  public static boolean known() {
    return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")
        && KNOWN.contains(System.getProperty("os.arch", ""));
  }

  /** One function, by its name in C. The constructor throws where native access is not allowed. */
  public static final class Function {
    private final MemorySegment address;

    public Function(String name) {
      this.address = LINKER.defaultLookup().findOrThrow(name);
    }

    /**
     * Returns the result of the function, which must fit into an {@code int}, or the negated {@code
     * errno}.
     */
    public int call(long a, long b, long c, long d, long e) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        int result = (int) (long) CALL.invokeExact(address, state, a, b, c, d, e);
        return result < 0 ? -(int) ERRNO.get(state, 0L) : result;
      } catch (Throwable impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    public int call() {
      return call(0, 0, 0, 0, 0);
    }

    public int call(long a) {
      return call(a, 0, 0, 0, 0);
    }

    public int call(long a, long b) {
      return call(a, b, 0, 0, 0);
    }

    public int call(long a, long b, long c) {
      return call(a, b, c, 0, 0);
    }

    public int call(long a, long b, long c, long d) {
      return call(a, b, c, d, 0);
    }
  }
}
