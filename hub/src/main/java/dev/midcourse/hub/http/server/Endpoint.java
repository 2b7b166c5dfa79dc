package dev.midcourse.hub.http.server;

import java.net.SocketAddress;
import java.util.Optional;
import java.util.Set;

/**
 * An address at which the hub accepts connections.
 *
 * @param name the name of the endpoint in records and logs
 * @param hosts the names under which a browser may reach it; empty if no browser can
 * @param publicUrl the URL under which a browser reaches it through a proxy
 * @param tls its certificate, if it uses TLS
 * @param maxConnections the maximum of open connections; further clients wait
 */
public record Endpoint(
    String name,
    SocketAddress address,
    Set<String> hosts,
    Optional<PublicUrl> publicUrl,
    Optional<TlsSettings> tls,
    int maxConnections) {
  public Endpoint {
    hosts = Set.copyOf(hosts);
  }

  /** Returns the scheme of URLs of this endpoint, with {@code ://}. */
  public String scheme() {
    return tls.isPresent() ? "https://" : "http://";
  }

  public Endpoint(String name, SocketAddress address, Set<String> hosts, int maxConnections) {
    this(name, address, hosts, Optional.empty(), Optional.empty(), maxConnections);
  }
}
