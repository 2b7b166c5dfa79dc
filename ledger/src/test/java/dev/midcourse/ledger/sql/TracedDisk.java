package dev.midcourse.ledger.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a process as a disk would have them, from the trace of its system calls: synced data
 * is safe; a power cut may keep any part of what was written since then.
 */
final class TracedDisk {
  /** For {@code strace}: everything in hexadecimal, with the path beside each descriptor. */
  static final List<String> STRACE =
      List.of(
          "strace",
          "-f",
          "--seccomp-bpf",
          "-y",
          "-xx",
          "-s",
          "70000",
          "-e",
          "trace=pwrite64,write,fsync,fdatasync,ftruncate");

  private static final Pattern CALL =
      Pattern.compile("^(\\d+) +(\\w+)\\((\\d+)<([^>]*)>(?:, \"([^\"]*)\", \\d+)?(?:, (\\d+))?.*");
  private static final String SAYS = "says";
  private static final Pattern RESUMED = Pattern.compile("^(\\d+) +<\\.\\.\\. \\w+ resumed>.*");

  private final Path folder;
  private final Map<String, Contents> files = new HashMap<>();
  private final Map<String, Call> unfinished = new HashMap<>();
  private final StringBuilder said = new StringBuilder();

  private record Call(String name, String file, String hex, long place) {
    byte[] data() {
      return HexFormat.of().parseHex(hex);
    }

    int length() {
      return hex.length() / 2;
    }
  }

  /** What is safe of one file, and what was written to it since. */
  private static final class Contents {
    byte[] safe = new byte[0];
    final List<Call> since = new ArrayList<>();

    static byte[] with(byte[] before, Call write, int length) {
      if (write.name.equals("ftruncate")) {
        return Arrays.copyOf(before, Math.toIntExact(write.place));
      }
      int end = Math.toIntExact(write.place + length);
      byte[] after = Arrays.copyOf(before, Math.max(before.length, end));
      System.arraycopy(write.data(), 0, after, Math.toIntExact(write.place), length);
      return after;
    }

    void sync() {
      since.forEach(write -> safe = with(safe, write, write.length()));
      since.clear();
    }

    /** Any of the unsynced writes may be there, or a part of it. */
    byte[] after(Random cut) {
      byte[] left = safe;
      int mood = cut.nextInt(3);
      for (Call write : since) {
        if (mood == 1 || (mood == 2 && cut.nextBoolean())) {
          int length = cut.nextInt(4) > 0 ? write.length() : cut.nextInt(write.length() + 1);
          left = with(left, write, length);
        }
      }
      return left;
    }
  }

  /** A disk that has what is in the folder now. */
  TracedDisk(Path folder) throws IOException {
    this.folder = folder.toRealPath();
    try (var all = Files.list(folder)) {
      for (Path file : all.toList()) {
        contents(file.getFileName().toString()).safe = Files.readAllBytes(file);
      }
    }
  }

  private Contents contents(String name) {
    return files.computeIfAbsent(name, _ -> new Contents());
  }

  /** Everything that the process has said so far. */
  String said() {
    return said.toString();
  }

  /** Takes the next line of the trace; a call counts when it has returned. */
  void read(String line) {
    Matcher resumed = RESUMED.matcher(line);
    if (resumed.matches()) {
      Call call = unfinished.remove(resumed.group(1));
      if (call != null) {
        done(call);
      }
      return;
    }
    Matcher it = CALL.matcher(line);
    if (!it.matches()) {
      return;
    }
    String hex = it.group(5) == null ? "" : it.group(5).replace("\\x", "");
    long place = it.group(6) == null ? 0 : Long.parseLong(it.group(6));
    String name = it.group(2).equals("write") && it.group(3).equals("1") ? SAYS : it.group(2);
    Call call = new Call(name, text(it.group(4)), hex, place);
    if (line.endsWith("<unfinished ...>")) {
      unfinished.put(it.group(1), call);
    } else {
      done(call);
    }
  }

  private void done(Call call) {
    Path file = Path.of(call.file.startsWith("/") ? call.file : "/" + call.file);
    boolean ours = file.startsWith(folder) && !call.file.endsWith("-shm");
    switch (call.name) {
      case SAYS -> said.append(new String(call.data(), StandardCharsets.UTF_8));
      case "pwrite64", "ftruncate" -> {
        if (ours) {
          contents(file.getFileName().toString()).since.add(call);
        }
      }
      case "fsync", "fdatasync" -> {
        if (ours && Files.isRegularFile(file)) {
          contents(file.getFileName().toString()).sync();
        }
      }
      default -> {
        if (ours) {
          throw new IllegalStateException("not foreseen: " + call.name + " to " + file);
        }
      }
    }
  }

  /** Writes what is left of the files after a power cut in this moment. */
  void cutInto(Path target, Random cut) {
    files.forEach((name, contents) -> {
      try {
        Files.write(target.resolve(name), contents.after(cut));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private static String text(String escaped) {
    return escaped.startsWith("\\x")
        ? new String(HexFormat.of().parseHex(escaped.replace("\\x", "")), StandardCharsets.UTF_8)
        : escaped;
  }
}
