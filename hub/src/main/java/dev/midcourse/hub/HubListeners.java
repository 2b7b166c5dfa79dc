package dev.midcourse.hub;

import dev.midcourse.core.RefusedException;
import dev.midcourse.hub.boot.DataFolder;
import dev.midcourse.hub.http.HttpListener;
import dev.midcourse.hub.http.server.DescriptorBudget;
import dev.midcourse.hub.http.server.Endpoint;
import dev.midcourse.hub.http.server.PublicUrl;
import dev.midcourse.hub.settings.HubSettings;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Binds the endpoints of a hub, and tells the addresses at which clients reach them. */
final class HubListeners {
  private final HubSettings settings;
  private final DataFolder folder;
  private final DescriptorBudget descriptors = DescriptorBudget.ofThisProcess();

  HubListeners(HubSettings settings, DataFolder folder) {
    this.settings = settings;
    this.folder = folder;
  }

  /** Listens on the Unix socket in the data folder, which only the owner of the hub can open. */
  HttpListener bindSocket() {
    folder.remove(HubStartup.SOCKET); // a killed hub does not delete its socket
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.file(HubStartup.SOCKET));
    HttpListener listener =
        HttpListener.bind(new Endpoint("socket", address, Set.of(), descriptors.local()));
    try {
      // The permissions of the folder keep other users out before and after this.
      Files.setPosixFilePermissions(
          folder.file(HubStartup.SOCKET), PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      listener.close();
      throw new IllegalStateException(e);
    }
    return listener;
  }

  /**
   * Listens on the configured port. Without one, or with 0, on the port of the last hub, so that an
   * open page finds the next hub; else on the default port, if none is configured; else on any free
   * port.
   */
  HttpListener bindPort() {
    if (settings.port().filter(port -> port > 0).isPresent()) {
      return bind(settings.port().get());
    }
    List<Integer> candidates = new ArrayList<>(folder.lastPort().stream().toList());
    if (settings.port().isEmpty()) {
      candidates.add(HubSettings.DEFAULT_PORT);
    }
    HttpListener listener = firstFree(candidates);
    if (!folder.lastPort().equals(Optional.of(listener.port()))) {
      folder.rememberPort(listener.port());
    }
    return listener;
  }

  private HttpListener firstFree(List<Integer> candidates) {
    for (int port : candidates) {
      try {
        return bind(port);
      } catch (RefusedException taken) {
        // Another program has this port; the next candidate may be free.
      }
    }
    return bind(0);
  }

  private HttpListener bind(int port) {
    return HttpListener.bind(
        new Endpoint(
            "http",
            new InetSocketAddress(settings.host(), port),
            names(),
            settings.publicUrl(),
            settings.tls(),
            descriptors.remote()));
  }

  /**
   * Returns the host names of the hub for browsers: its address, and all names of this machine if
   * it listens on all addresses.
   */
  private Set<String> names() {
    Set<String> names = new HashSet<>(Set.of("localhost", HubSettings.LOOPBACK, "[::1]"));
    names.add(settings.host().toLowerCase(Locale.ROOT));
    settings.tls().ifPresent(tls -> names.addAll(tls.names()));
    try {
      InetAddress bound = InetAddress.getByName(settings.host());
      if (bound.isAnyLocalAddress()) {
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .map(HubListeners::literal)
            .forEach(names::add);
        names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
      } else {
        names.add(literal(bound));
      }
    } catch (IOException unknown) {
      // The names found so far are enough for browsers on this machine.
    }
    return names;
  }

  private static String literal(InetAddress address) {
    String plain = address.getHostAddress().replaceAll("%.*", "");
    return address instanceof Inet6Address ? "[" + plain + "]" : plain;
  }

  /**
   * Returns the URL for browsers: that of the proxy, or an address of this machine if the hub
   * listens on all addresses.
   */
  String pageUrl(int port) {
    String everywhere = "http://0.0.0.0:" + port;
    String own = url(port);
    return settings
        .publicUrl()
        .map(PublicUrl::origin)
        .orElse(own.equals(everywhere) ? "http://" + HubSettings.LOOPBACK + ":" + port : own);
  }

  /** Returns the URL of the endpoint that listens on the port. */
  String url(int port) {
    String host = settings.host();
    String scheme = settings.tls().isPresent() ? "https://" : "http://";
    return scheme + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
