package dev.midcourse.agents.process;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.LaunchFailure;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.input.FifoInput;
import dev.midcourse.agents.process.input.NoInput;
import dev.midcourse.agents.process.input.PipeInput;
import dev.midcourse.agents.process.input.ProcessInput;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.process.output.OutputTailer;
import dev.midcourse.agents.process.output.OutputTrimmer;
import dev.midcourse.agents.process.tree.ExitNotice;
import dev.midcourse.agents.process.tree.ProcessEntry;
import dev.midcourse.agents.process.tree.ProcessTable;
import dev.midcourse.agents.process.tree.ProcessTree;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.process.tree.TreeKillResult;
import dev.midcourse.agents.process.wrapper.ProcessSpawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts programs that outlive the hub and finds them again. There is one instance per hub.
 *
 * <p>A program can be found again whenever the hub is killed. It carries its mark from its first
 * instant, and {@link #find} decides finally whether a program was started. The caller must
 * therefore store the folder and the mark before it calls {@link #start}.
 */
public final class ProcessHost implements AutoCloseable {

  private static final Duration MAX_START = Duration.ofSeconds(30);

  private final PlatformSupport means;
  private final ProcessTable table;
  private final DirectoryWatcher folders;
  private final OutputTailer outputs;
  private final OutputTrimmer space;

  private ProcessHost(PlatformSupport means) throws IOException {
    this.means = means;
    this.table = means.processTable();
    this.folders = means.folderWatch();
    this.outputs = new OutputTailer(folders);
    this.space = new OutputTrimmer(means.libc());
  }

  public static ProcessHost open() throws IOException {
    return open(PlatformSupport.ofThisSystem());
  }

  static ProcessHost open(PlatformSupport means) throws IOException {
    return new ProcessHost(means);
  }

  /** Returns the folder watcher that all parts of the hub share. */
  public DirectoryWatcher folders() {
    return folders;
  }

  /**
   * Starts a program in a new folder. When this method returns, the program has its input open. If
   * the input is a FIFO, bytes that are written from then on survive the death of the hub.
   */
  public HostedProcess start(Launch launch, AttemptFolder folder)
      throws LaunchFailure, InterruptedException {
    boolean fifo = means.fifo() && FifoInput.make(means.libc().orElseThrow(), folder);
    Beginning beginning = new Beginning(folder);
    try (DirectoryWatcher.Registration watch =
        folders.register(folder.path(), beginning::changed)) {
      Process process = ProcessSpawner.start(launch, folder, means.wrapper(), fifo);
      beginning.look();
      ExitNotice exit = exitNotice(folder, launch.mark());
      ProcessInput input =
          fifo
              ? new FifoInput(means.libc().orElseThrow(), folder, () -> exit.now().isPresent())
              : new PipeInput(process.getOutputStream(), () -> exit.now().isPresent());
      try {
        beginning.await(MAX_START, process);
      } catch (LaunchFailure | InterruptedException failure) {
        input.close();
        abandon(folder, launch.mark());
        throw failure;
      }
      exit.start(folders);
      return hosted(folder, launch.mark(), input, exit);
    }
  }

  /**
   * Finds the program that another hub started in this folder. If no program was started, fences
   * the folder, so that none can start later.
   */
  public AttachResult find(AttemptFolder folder, ProcessMarker mark)
      throws IOException, InterruptedException {
    if (folder.wrapper().isEmpty()) {
      folder.fence();
      // A wrapper that passed the fence earlier carries the mark and will write its record soon.
      ProcessTree tree = tree(folder, mark);
      while (folder.wrapper().isEmpty()) {
        if (tree.isGone() && folder.wrapper().isEmpty()) {
          return new AttachResult.NeverStarted();
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
    ExitNotice exit = exitNotice(folder, mark);
    HostedProcess program = hosted(folder, mark, inputOf(folder, exit), exit);
    exit.start(folders);
    exit.checkAlive();
    return exit.now()
        .<AttachResult>map(how -> new AttachResult.Over(program, how))
        .orElseGet(() -> new AttachResult.Alive(program));
  }

  /**
   * Returns every mark that is alive on this machine, including marks of other hubs, with its
   * number of processes.
   */
  public Map<ProcessMarker, Integer> marksAlive() throws InterruptedException {
    Map<ProcessMarker, Integer> counts = new HashMap<>();
    for (ProcessEntry entry : table.entries(0)) {
      entry.mark().ifPresent(mark -> counts.merge(mark, 1, Integer::sum));
    }
    return counts;
  }

  /** Returns the process tree of a mark, to end processes that a program left behind. */
  public ProcessTree tree(AttemptFolder folder, ProcessMarker mark) {
    return new ProcessTree(table, means.libc(), folder, mark);
  }

  private HostedProcess hosted(
      AttemptFolder folder, ProcessMarker mark, ProcessInput input, ExitNotice exit) {
    return new HostedProcess(folder, mark, input, outputs, space, exit, tree(folder, mark));
  }

  private ExitNotice exitNotice(AttemptFolder folder, ProcessMarker mark) {
    return new ExitNotice(folder, tree(folder, mark));
  }

  private ProcessInput inputOf(AttemptFolder folder, ExitNotice exit) {
    boolean fifo =
        means.fifo() && Files.exists(folder.file(AttemptFolder.IN), LinkOption.NOFOLLOW_LINKS);
    return fifo
        ? new FifoInput(means.libc().orElseThrow(), folder, () -> exit.now().isPresent())
        : new NoInput();
  }

  private void abandon(AttemptFolder folder, ProcessMarker mark) throws LaunchFailure {
    try {
      folder.fence();
      if (tree(folder, mark).end(StopTimeouts.IMMEDIATE, () -> {})
          instanceof TreeKillResult.Survived survived) {
        throw new LaunchFailure("what did not start properly is still alive: " + survived);
      }
    } catch (IOException failure) {
      throw new LaunchFailure("what did not start properly could not be ended", failure);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes the watcher, the tailer and the process table. The programs keep running. */
  @Override
  public void close() {
    folders.close();
    outputs.close();
    table.close();
  }

  /**
   * Waits until the wrapper has written its record, which means that the program's input is open.
   */
  private static final class Beginning {
    private final AttemptFolder folder;
    private final CompletableFuture<Void> said = new CompletableFuture<>();

    Beginning(AttemptFolder folder) {
      this.folder = folder;
    }

    void changed(Optional<String> file) {
      if (file.isEmpty() || file.get().equals(AttemptFolder.PID)) {
        look();
      }
    }

    void look() {
      try {
        if (folder.wrapper().isPresent()) {
          said.complete(null);
        }
      } catch (IOException unreadable) {
        said.completeExceptionally(unreadable);
      }
    }

    void await(Duration timeout, Process process) throws LaunchFailure, InterruptedException {
      CompletableFuture<Object> either = CompletableFuture.anyOf(said, process.onExit());
      try {
        Object _ = either.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException failure) {
        throw new LaunchFailure("the program's folder cannot be read", failure);
      } catch (TimeoutException tooLong) {
        throw new LaunchFailure("the program did not start within " + timeout);
      }
      look();
      if (!said.isDone()) {
        throw new LaunchFailure("the program did not start: " + complaint());
      }
    }

    private String complaint() {
      try {
        return Files.readString(folder.output(OutputFile.ERR)).strip();
      } catch (IOException unreadable) {
        return "no reason given";
      }
    }
  }
}
