package dev.midcourse.hub.http.server;

import java.net.SocketAddress;
import java.util.Optional;
import java.util.Set;

/**
 * A place where callers come in.
 *
 * @param name how the door is called in what is recorded
 * @param hosts the names under which a browser may reach it; empty where no browser can
 * @param publicUrl where else a browser may reach it, through a proxy
 * @param tls with what it enciphers, if it does
 * @param mostConnections how many may be open at once; more wait outside
 */
public record Endpoint(
    String name,
    SocketAddress address,
    Set<String> hosts,
    Optional<PublicUrl> publicUrl,
    Optional<TlsSettings> tls,
    int mostConnections) {
  public Endpoint {
    hosts = Set.copyOf(hosts);
  }

  /** How the address of a page that came through it begins. */
  public String scheme() {
    return tls.isPresent() ? "https://" : "http://";
  }

  public Endpoint(String name, SocketAddress address, Set<String> hosts, int mostConnections) {
    this(name, address, hosts, Optional.empty(), Optional.empty(), mostConnections);
  }
}
