package dev.midcourse.proof.crash.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The repository of a drill, its CI, and the notes that agents and CI leave beside it. */
record DrillRepository(Path folder) {
  private static final String NAME = "-c user.name=R -c user.email=r@localhost ";

  /** Notes each commit that it tests with its result. A file is wrong until it is fixed. */
  private static final String CI =
      """
      status=0
      for file in l*.txt; do
        [ -e "$file" ] || continue
        grep -q right "$file" || { echo "::error file=$file,line=1::$file is wrong"; status=1; }
      done
      echo "$(git rev-parse HEAD) $status" >> NOTES
      exit $status
      """;

  void create() throws IOException, InterruptedException {
    Path shop = Files.createDirectories(folder.resolve("shop"));
    sh(
        shop,
        "git init -q -b main; echo hello > README; git add -A; git " + NAME + "commit -qm start");
    Files.writeString(folder.resolve("ci.sh"), CI.replace("NOTES", tested().toString()));
    Files.createFile(tested());
    Files.createFile(given());
  }

  private Path tested() {
    return folder.resolve("tested.log");
  }

  private Path given() {
    return folder.resolve("given.log");
  }

  /** A task that commits a wrong file. Lines are separated by bars. */
  String task(long seed, String branch) {
    return "Drill %d %s.|$ sleep 0.05|$ echo wrong > %s.txt; git add -A; git %scommit -qm 'write %s'"
        .formatted(seed, branch, branch, NAME, branch);
  }

  /** Guidance that corrects the file and notes its id. */
  String correction(String branch, String steer) {
    return "Correct it.|$ echo %s >> %s|$ echo right > %s.txt; git %scommit -qam 'fix %s'"
        .formatted(steer, given(), branch, NAME, branch);
  }

  /** Guidance that only notes its id. */
  String remark(String steer) {
    return "Note this.|$ echo %s >> %s".formatted(steer, given());
  }

  /** How often agents have noted the id. */
  long timesGiven(String steer) throws IOException {
    return Files.readAllLines(given()).stream().filter(steer::equals).count();
  }

  boolean wasGreen(String commit) throws IOException {
    return Files.readAllLines(tested()).contains(commit + " 0");
  }

  /** All commits that main has ever been, the newest first. */
  List<String> pastOfMain() throws IOException, InterruptedException {
    return git("log -g --format=%H main");
  }

  List<String> git(String arguments) throws IOException, InterruptedException {
    return sh(folder.resolve("shop"), "git " + arguments);
  }

  private static List<String> sh(Path where, String script)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-ec", script).directory(where.toFile());
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(script + " failed: " + out);
    }
    return new ArrayList<>(out.lines().toList());
  }
}
