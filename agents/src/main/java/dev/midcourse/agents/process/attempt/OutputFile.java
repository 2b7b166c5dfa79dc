package dev.midcourse.agents.process.attempt;

/** The two append-only files that a program writes to. */
public enum OutputFile {
  OUT("out"),
  ERR("err");

  private final String fileName;

  OutputFile(String fileName) {
    this.fileName = fileName;
  }

  public String fileName() {
    return fileName;
  }
}
