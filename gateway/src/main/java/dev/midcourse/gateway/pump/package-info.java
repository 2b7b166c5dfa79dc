/**
 * The pump: connections of agents, their routes, and the connections to providers. Bytes of bodies
 * are neither changed nor held.
 *
 * <p>What a request means is not in here; an {@link ExchangeObserver} gets a copy of the bytes.
 */
@NullMarked
package dev.midcourse.gateway.pump;

import org.jspecify.annotations.NullMarked;
