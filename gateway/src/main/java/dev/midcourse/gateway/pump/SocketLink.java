package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A TCP connection.
 *
 * @param transport the socket itself
 * @param session what is read and written: the same socket, or TLS over it
 */
record SocketLink(Socket transport, Socket session, InputStream in, OutputStream out)
    implements Link {

  static SocketLink of(Socket socket) throws IOException {
    return of(socket, socket);
  }

  static SocketLink of(Socket transport, Socket session) throws IOException {
    return new SocketLink(transport, session, session.getInputStream(), session.getOutputStream());
  }

  @Override
  public void shutdownOutput() throws IOException {
    session.shutdownOutput();
  }

  /** Closes the transport first: closing a TLS session waits for a write that is blocked. */
  @Override
  public void close() {
    try {
      transport.close();
    } catch (IOException closed) {
      // There is nothing left to close.
    }
  }
}
