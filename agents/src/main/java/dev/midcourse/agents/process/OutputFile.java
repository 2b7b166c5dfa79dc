package dev.midcourse.agents.process;

/** The two append-only files a program writes to. */
public enum OutputFile {
  OUT("out"),
  ERR("err");

  private final String fileName;

  OutputFile(String fileName) {
    this.fileName = fileName;
  }

  String fileName() {
    return fileName;
  }
}
