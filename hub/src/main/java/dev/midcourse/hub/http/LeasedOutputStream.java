package dev.midcourse.hub.http;

import dev.midcourse.hub.http.server.AuthenticationLease;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The body of a stream. A write fails once the authentication of its caller has ended. */
final class LeasedOutputStream extends FilterOutputStream {
  private final AuthenticationLease lease;

  LeasedOutputStream(OutputStream out, AuthenticationLease lease) {
    super(out);
    this.lease = lease;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    check();
    out.write(bytes, offset, length);
  }

  @Override
  public void write(int oneByte) throws IOException {
    check();
    out.write(oneByte);
  }

  private void check() throws IOException {
    if (!lease.holds()) {
      throw new IOException("the session of this stream has ended");
    }
  }
}
