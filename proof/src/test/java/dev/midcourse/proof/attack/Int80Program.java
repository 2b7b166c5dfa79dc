package dev.midcourse.proof.attack;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * A 64-bit program for Linux that creates a Unix socket through the 32-bit interface of the kernel.
 * Its status is 0 if it got the socket. It is written as bytes, because a test has no compiler.
 */
final class Int80Program {
  private static final long ADDRESS = 0x400000;
  private static final int HEADERS = 64 + 56;

  /**
   * Calls socket(AF_UNIX, SOCK_STREAM, 0), which has number 359, with int 0x80; then exit with 0 or
   * 1 by the 64-bit interface.
   */
  private static final String CODE =
      "b867010000" // mov eax, 359
          + "bb01000000" // mov ebx, 1
          + "b901000000" // mov ecx, 1
          + "31d2" // xor edx, edx
          + "cd80" // int 0x80
          + "31ff" // xor edi, edi
          + "85c0" // test eax, eax
          + "7905" // jns over the next instruction
          + "bf01000000" // mov edi, 1
          + "b83c000000" // mov eax, 60
          + "0f05"; // syscall

  private Int80Program() {}

  static byte[] bytes() {
    byte[] code = HexFormat.of().parseHex(CODE);
    ByteBuffer elf = ByteBuffer.allocate(HEADERS + code.length).order(ByteOrder.LITTLE_ENDIAN);
    elf.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    elf.putShort((short) 2).putShort((short) 62).putInt(1); // executable, amd64, version
    elf.putLong(ADDRESS + HEADERS).putLong(64).putLong(0); // entry, program headers, no sections
    elf.putInt(0).putShort((short) 64).putShort((short) 56).putShort((short) 1);
    elf.putShort((short) 64).putShort((short) 0).putShort((short) 0);
    elf.putInt(1).putInt(5); // load, readable and executable
    elf.putLong(0).putLong(ADDRESS).putLong(ADDRESS);
    elf.putLong(HEADERS + code.length).putLong(HEADERS + code.length).putLong(0x1000);
    return elf.put(code).array();
  }
}
