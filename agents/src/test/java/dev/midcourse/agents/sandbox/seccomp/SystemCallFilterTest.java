package dev.midcourse.agents.sandbox.seccomp;

import static dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.ALLOW;
import static dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.EAFNOSUPPORT;
import static dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.ENOSYS;
import static dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.EPERM;
import static dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.EPROTONOSUPPORT;
import static dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.KILL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.sandbox.seccomp.SystemCallFilter.Processor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the filter program for both processors in an interpreter. The real kernel runs the program
 * of this machine's processor in {@code HostileAgentInBwrapTest}.
 */
class SystemCallFilterTest {
  private static final int UNIX = 1;
  private static final long UPPER_BITS = 1L << 32;

  @ParameterizedTest
  @EnumSource
  void only_internet_and_routing_sockets_are_created(Processor processor) {
    assertThat(call(processor, SystemCall.SOCKET, UNIX, 1, 0)).isEqualTo(EAFNOSUPPORT);
    assertThat(call(processor, SystemCall.SOCKET, UPPER_BITS | UNIX, 1, 0)).isEqualTo(EAFNOSUPPORT);
    assertThat(call(processor, SystemCall.SOCKET, 2, 1, 0)).isEqualTo(ALLOW);
    assertThat(call(processor, SystemCall.SOCKET, 10, 2, 0)).isEqualTo(ALLOW);
    assertThat(call(processor, SystemCall.SOCKET, 16, 3, 0)).isEqualTo(ALLOW);
    assertThat(call(processor, SystemCall.SOCKET, 16, 3, 9)).isEqualTo(EPROTONOSUPPORT);
    for (int family : new int[] {0, 3, 17, 29, 31, 38, 40, 44, 99}) {
      assertThat(call(processor, SystemCall.SOCKET, family, 1, 0)).isEqualTo(EAFNOSUPPORT);
    }
  }

  /** Seen to fail when the flags of a type are compared with it. */
  @ParameterizedTest
  @EnumSource
  void only_pairs_that_stay_connected_are_created(Processor processor) {
    int flags = 0x80000 | 0x800;
    assertThat(call(processor, SystemCall.SOCKETPAIR, UNIX, 1 | flags, 0)).isEqualTo(ALLOW);
    assertThat(call(processor, SystemCall.SOCKETPAIR, UNIX, 5 | flags, 0)).isEqualTo(ALLOW);
    assertThat(call(processor, SystemCall.SOCKETPAIR, UNIX, 2, 0)).isEqualTo(EPROTONOSUPPORT);
    assertThat(call(processor, SystemCall.SOCKETPAIR, UNIX, 3 | flags, 0))
        .isEqualTo(EPROTONOSUPPORT);
    assertThat(call(processor, SystemCall.SOCKETPAIR, 30, 1, 0)).isEqualTo(EAFNOSUPPORT);
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_that_may_have_unix_sockets_gets_these_and_nothing_else(Processor processor) {
    byte[] program = SystemCallFilter.program(processor, true);
    assertThat(call(program, processor, SystemCall.SOCKET, UNIX, 1)).isEqualTo(ALLOW);
    assertThat(call(program, processor, SystemCall.SOCKETPAIR, UNIX, 2)).isEqualTo(ALLOW);
    assertThat(call(program, processor, SystemCall.SOCKET, 40, 1)).isEqualTo(EAFNOSUPPORT);
    assertThat(call(program, processor, SystemCall.IO_URING_SETUP)).isEqualTo(ENOSYS);
    assertThat(call(program, processor, SystemCall.UNSHARE)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @EnumSource
  void namespaces_rings_and_typing_into_a_terminal_are_refused(Processor processor) {
    assertThat(call(processor, SystemCall.CLONE, 0x01200011)).isEqualTo(ALLOW);
    assertThat(call(processor, SystemCall.CLONE, 0x10000000 | 17)).isEqualTo(EPERM);
    assertThat(call(processor, SystemCall.CLONE3)).isEqualTo(ENOSYS);
    assertThat(call(processor, SystemCall.IOCTL, 0, 0x5401)).isEqualTo(ALLOW);
    assertThat(call(processor, SystemCall.IOCTL, 0, 0x5412)).isEqualTo(EPERM);
    assertThat(call(processor, SystemCall.IOCTL, 0, UPPER_BITS | 0x5412)).isEqualTo(EPERM);
    assertThat(call(processor, SystemCall.KEYCTL)).isEqualTo(EPERM);
    assertThat(call(processor, SystemCall.BPF)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @EnumSource
  void calls_of_other_interfaces_and_unknown_calls_are_refused(Processor processor) {
    byte[] program = SystemCallFilter.program(processor, false);
    int other = 0x40000003;
    assertThat(verdict(program, other, SystemCall.SOCKET.number(processor))).isEqualTo(KILL);
    int x32 = 0x40000000;
    assertThat(verdict(program, processor.interfaceId(), x32 | 41)).isEqualTo(ENOSYS);
    assertThat(verdict(program, processor.interfaceId(), -1)).isEqualTo(ENOSYS);
    assertThat(verdict(program, processor.interfaceId(), SystemCallFilter.NEWEST_KNOWN_CALL + 1))
        .isEqualTo(ENOSYS);
    assertThat(verdict(program, processor.interfaceId(), 0)).isEqualTo(ALLOW);
  }

  /** Compares the numbers with those of libseccomp. */
  @Test
  @Tag("sandbox")
  void the_numbers_are_those_of_the_kernel() throws Exception {
    Path resolver = Path.of("/usr/bin/scmp_sys_resolver");
    assumeTrue(Files.isExecutable(resolver), "scmp_sys_resolver is missing (seccomp)");
    for (SystemCall call : SystemCall.values()) {
      for (Processor processor : Processor.values()) {
        String known = resolved(resolver, processor, call);
        if (!known.equals("-1")) {
          assertThat(known).as(call + " on " + processor).isEqualTo("" + call.number(processor));
        }
      }
    }
  }

  private static String resolved(Path resolver, Processor processor, SystemCall call)
      throws Exception {
    String architecture =
        switch (processor) {
          case AMD64 -> "x86_64";
          case AARCH64 -> "aarch64";
        };
    String name = call.name().toLowerCase(Locale.ROOT);
    Process process =
        new ProcessBuilder(resolver.toString(), "-a", architecture, name)
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  private static int call(Processor processor, SystemCall call, long... arguments) {
    return call(SystemCallFilter.program(processor, false), processor, call, arguments);
  }

  private static int call(byte[] program, Processor processor, SystemCall call, long... arguments) {
    return verdict(program, processor.interfaceId(), call.number(processor), arguments);
  }

  /**
   * Interprets the program as the kernel does. Knows only the instructions that a filter may have.
   */
  private static int verdict(byte[] program, int interfaceId, int number, long... arguments) {
    ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    data.putInt(number).putInt(interfaceId).putLong(0);
    for (long argument : arguments) {
      data.putLong(argument);
    }
    ByteBuffer code = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
    int accumulator = 0;
    int at = 0;
    while (true) {
      int ifTrue = Byte.toUnsignedInt(code.get(at * 8 + 2));
      int ifFalse = Byte.toUnsignedInt(code.get(at * 8 + 3));
      int value = code.getInt(at * 8 + 4);
      int instruction = code.getShort(at * 8);
      at++;
      switch (instruction) {
        case 0x20 -> accumulator = data.getInt(value);
        case 0x54 -> accumulator &= value;
        case 0x15 -> at += accumulator == value ? ifTrue : ifFalse;
        case 0x25 -> at += Integer.compareUnsigned(accumulator, value) > 0 ? ifTrue : ifFalse;
        case 0x45 -> at += (accumulator & value) != 0 ? ifTrue : ifFalse;
        case 0x06 -> {
          return value;
        }
        default -> throw new AssertionError("instruction " + instruction);
      }
    }
  }
}
