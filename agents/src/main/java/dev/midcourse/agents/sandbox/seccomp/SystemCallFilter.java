package dev.midcourse.agents.sandbox.seccomp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The seccomp filter of a bubblewrap sandbox. A program under this filter cannot reach a Unix
 * socket outside, neither by a path nor by an abstract name: it cannot create a socket that could
 * be connected. Mounts and namespaces do not guarantee this, because a socket on a read-only mount
 * can be connected, and because abstract names belong to the network namespace.
 *
 * <p>The filter is a program for the packet filter of the kernel (classic BPF). It sees the number
 * of a call and its arguments as plain values. It compares only the lower half of an argument where
 * the kernel itself reads an {@code int}; a comparison of all bits could be evaded by the upper
 * half.
 *
 * <p>Calls of another binary interface of the same processor (32-bit, x32) have other numbers. They
 * end the process. Calls that are newer than this list do not exist for the program.
 */
public final class SystemCallFilter {
  /** The processors whose call numbers are known. */
  public enum Processor {
    AMD64(0xC000003E),
    AARCH64(0xC00000B7);

    /** The AUDIT_ARCH value of the 64-bit interface, little-endian. */
    private final int interfaceId;

    Processor(int interfaceId) {
      this.interfaceId = interfaceId;
    }

    int interfaceId() {
      return interfaceId;
    }

    public static Processor ofThisMachine() throws IOException {
      String name = System.getProperty("os.arch", "");
      return switch (name) {
        case "amd64" -> AMD64;
        case "aarch64" -> AARCH64;
        default ->
            throw new IOException(
                "the filter of system calls exists for amd64 and aarch64 and not for this processor ("
                    + name
                    + ")");
      };
    }
  }

  static final int NEWEST_KNOWN_CALL = 469;

  static final int ALLOW = 0x7FFF0000;
  static final int KILL = 0x80000000;
  private static final int FAIL = 0x00050000;
  static final int EPERM = FAIL | 1;
  static final int ENOSYS = FAIL | 38;
  static final int EAFNOSUPPORT = FAIL | 97;
  static final int EPROTONOSUPPORT = FAIL | 93;

  static final int AF_UNIX = 1;
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;
  static final int AF_NETLINK = 16;
  static final int NETLINK_ROUTE = 0;
  static final int SOCKET_TYPE_MASK = 0xF;
  static final int SOCK_STREAM = 1;
  static final int SOCK_SEQPACKET = 5;
  private static final int TIOCSTI = 0x5412;
  private static final int TIOCLINUX = 0x541C;
  static final int NEW_NAMESPACES = 0x7E020000;

  private static final int OFFSET_OF_NUMBER = 0;
  private static final int OFFSET_OF_INTERFACE = 4;
  private static final int OFFSET_OF_ARGUMENTS = 16;

  private static final short LOAD = 0x20;
  private static final short AND = 0x54;
  private static final short JUMP_IF_EQUAL = 0x15;
  private static final short JUMP_IF_GREATER = 0x25;
  private static final short JUMP_IF_ANY_BIT = 0x45;
  private static final short RETURN = 0x06;

  private static final int INSTRUCTION_BYTES = 8;

  private record Instruction(short code, int ifTrue, int ifFalse, int value) {}

  private final List<Instruction> instructions = new ArrayList<>();
  private final boolean unixSockets;

  private SystemCallFilter(boolean unixSockets) {
    this.unixSockets = unixSockets;
  }

  /**
   * Returns the filter program in the byte order and layout of the kernel.
   *
   * @param unixSockets whether the program may create Unix sockets; everything else stays forbidden
   */
  public static byte[] program(Processor processor, boolean unixSockets) {
    SystemCallFilter filter = new SystemCallFilter(unixSockets);
    filter.load(OFFSET_OF_INTERFACE);
    filter.unlessEqual(processor.interfaceId(), KILL);
    filter.load(OFFSET_OF_NUMBER);
    filter.returnIf(JUMP_IF_GREATER, NEWEST_KNOWN_CALL, ENOSYS);
    for (SystemCall call : SystemCall.values()) {
      filter.treat(call, processor);
    }
    filter.answer(ALLOW);
    return filter.bytes();
  }

  private void treat(SystemCall call, Processor processor) {
    SystemCallFilter treatment = new SystemCallFilter(unixSockets);
    switch (call.treatment()) {
      case FORBIDDEN -> treatment.answer(EPERM);
      case ABSENT -> treatment.answer(ENOSYS);
      case FAMILIES -> treatment.families();
      case PAIRS -> treatment.pairs();
      case TERMINAL_REQUESTS -> treatment.terminalRequests();
      case NO_NAMESPACES -> treatment.noNamespaces();
    }
    instructions.add(
        new Instruction(JUMP_IF_EQUAL, 0, treatment.instructions.size(), call.number(processor)));
    instructions.addAll(treatment.instructions);
  }

  /**
   * Besides Unix sockets this forbids families that no network namespace isolates, such as AF_VSOCK
   * between a virtual machine and its host.
   */
  private void families() {
    argument(0);
    returnIf(JUMP_IF_EQUAL, AF_INET, ALLOW);
    returnIf(JUMP_IF_EQUAL, AF_INET6, ALLOW);
    if (unixSockets) {
      returnIf(JUMP_IF_EQUAL, AF_UNIX, ALLOW);
    }
    unlessEqual(AF_NETLINK, EAFNOSUPPORT);
    argument(2);
    returnIf(JUMP_IF_EQUAL, NETLINK_ROUTE, ALLOW);
    answer(EPROTONOSUPPORT);
  }

  /**
   * A connected stream socket cannot be connected again. A datagram socket can, and it can send to
   * any address, so a pair of these would be a way to sockets outside.
   */
  private void pairs() {
    argument(0);
    unlessEqual(AF_UNIX, EAFNOSUPPORT);
    if (unixSockets) {
      answer(ALLOW);
      return;
    }
    argument(1);
    instructions.add(new Instruction(AND, 0, 0, SOCKET_TYPE_MASK));
    returnIf(JUMP_IF_EQUAL, SOCK_STREAM, ALLOW);
    returnIf(JUMP_IF_EQUAL, SOCK_SEQPACKET, ALLOW);
    answer(EPROTONOSUPPORT);
  }

  private void terminalRequests() {
    argument(1);
    returnIf(JUMP_IF_EQUAL, TIOCSTI, EPERM);
    returnIf(JUMP_IF_EQUAL, TIOCLINUX, EPERM);
    answer(ALLOW);
  }

  private void noNamespaces() {
    argument(0);
    returnIf(JUMP_IF_ANY_BIT, NEW_NAMESPACES, EPERM);
    answer(ALLOW);
  }

  /** Loads the lower half of an argument. */
  private void argument(int index) {
    load(OFFSET_OF_ARGUMENTS + index * Long.BYTES);
  }

  private void load(int offset) {
    instructions.add(new Instruction(LOAD, 0, 0, offset));
  }

  private void answer(int verdict) {
    instructions.add(new Instruction(RETURN, 0, 0, verdict));
  }

  private void returnIf(short comparison, int value, int verdict) {
    instructions.add(new Instruction(comparison, 0, 1, value));
    answer(verdict);
  }

  private void unlessEqual(int value, int verdict) {
    instructions.add(new Instruction(JUMP_IF_EQUAL, 1, 0, value));
    answer(verdict);
  }

  private byte[] bytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(instructions.size() * INSTRUCTION_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (Instruction instruction : instructions) {
      bytes
          .putShort(instruction.code())
          .put((byte) instruction.ifTrue())
          .put((byte) instruction.ifFalse())
          .putInt(instruction.value());
    }
    return bytes.array();
  }
}
