package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A connection as two streams of bytes. One thread may read while another one writes. */
interface Link extends AutoCloseable {
  InputStream in();

  OutputStream out();

  /** Tells the other side that no more bytes come. Bytes can still be read. */
  void shutdownOutput() throws IOException;

  /** Closes both directions. A thread that reads or writes gets an exception. */
  @Override
  void close();
}
